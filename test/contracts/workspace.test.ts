import { describeWorkspaces } from "./workspace.contract.ts";

describeWorkspaces("overlay");
describeWorkspaces("clone");
describeWorkspaces("overlay", { inImage: true });
