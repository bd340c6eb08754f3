// The systems of services that have an image of their own: their images are got with their agent's place, their folders lie beside
// its workspace and go with it, and the keeper is told before each of them starts.

import { createHash } from "node:crypto";
import { chown, mkdir, readdir, rm } from "node:fs/promises";
import { join, normalize } from "node:path";
import { canonical } from "../../base/canonical.ts";
import { Fault } from "../../base/fault.ts";
import type { ServiceSpec } from "../../core/agent/agent-spec.ts";
import { type Agent, type Service, serviceOf } from "../../core/agent/agent-state.ts";
import { nameOf } from "../../core/agent/instances.ts";
import type { SystemOrder } from "../../protocol/keeper/keeper-wire.ts";
import type { Images, ServiceImage } from "../images/images.ts";
import { serviceDataOf, servicePinOf, servicesFolderOf } from "../workspace/image-pins.ts";
import type { Workspace } from "../workspace/workspace.ts";

export type ServiceSystemsOptions = {
  readonly images: Pick<Images, "serviceFor">;
  /** Whom the folders of services belong to. */
  readonly owner: { readonly uid: number; readonly gid: number };
};

/** What a service that has its own is started with. */
export type OwnSystem = {
  /** As what its keeper knows it. */
  readonly name: string;
  /** With something put into what its template says. */
  readonly argv: (put: (text: string) => string) => readonly string[];
};

/** Where an image has nothing that could stay. */
const notForImages = ["/proc", "/dev", "/sys", "/etc", "/.signalbox"];

type Place = Pick<Workspace, "folder" | "mainline" | "commit" | "waysEnv" | "keeper">;

export class ServiceSystems {
  readonly #options: ServiceSystemsOptions;

  constructor(options: ServiceSystemsOptions) {
    this.#options = options;
  }

  /** Gets what services of an agent will need, before any of them starts; what none needs any more may be let go. */
  async getAll(agent: Agent, place: Place): Promise<void> {
    const services = agent.spec.services.filter(({ image }) => image !== undefined);
    for (const { name, image } of services) if (image !== undefined) await this.#imageOf(place, name, image);
    const known = new Set(services.map(({ name }) => name));
    for (const name of await readdir(servicesFolderOf(place.folder)).catch((): string[] => []))
      if (!known.has(name)) await rm(servicePinOf(place.folder, name), { force: true });
  }

  /** Makes the system of a service ready, as which it then starts. */
  async makeReady(agent: Agent, name: string, place: Place): Promise<OwnSystem | null> {
    const service = serviceOf(agent, name);
    const { spec } = service;
    if (spec.image === undefined) return null;
    const image = await this.#imageOf(place, nameOf(service), spec.image);
    const argv = argvOf(spec, image);
    const system = await this.#orderOf(service, image, place);
    await place.keeper.request({ op: "system", name, system }).catch((error: unknown) => {
      throw error instanceof Fault && error.code === "bad-request" ? unfit(agent, error) : error;
    });
    return { name, argv };
  }

  async #imageOf(place: Place, name: string, choice: NonNullable<ServiceSpec["image"]>): Promise<ServiceImage> {
    const { mainline, commit } = place;
    // Its folders are in there, too, and who they belong to has to get to them.
    await mkdir(join(servicesFolderOf(place.folder), name), { recursive: true, mode: 0o711 });
    return this.#options.images.serviceFor(choice, { mainline, commit, pin: servicePinOf(place.folder, name) });
  }

  async #orderOf({ spec }: Service, image: ServiceImage, place: Place): Promise<SystemOrder> {
    const { root, workdir, volumes } = image;
    const { uid, gid } = this.#options.owner;
    const data = serviceDataOf(place.folder, spec.name);
    await mkdir(data, { recursive: true, mode: 0o711 });
    await chown(data, uid, gid);
    return {
      ...{ root, workdir, env: { ...image.env, ...place.waysEnv }, workspace: spec.workspace === true },
      data: stayingOf(spec.data ?? [], volumes).map((inside) => ({ inside, outside: join(data, toFileName(inside)) })),
    };
  }
}

/** What is said in its template stands in place of what the image says, as in a Dockerfile that builds on it. */
function argvOf({ name, image, entrypoint, argv }: ServiceSpec, found: ServiceImage): OwnSystem["argv"] {
  const first = entrypoint ?? found.entrypoint;
  const isOwn = argv.length > 0 || entrypoint !== undefined;
  if (first.length + (isOwn ? argv : found.command).length === 0) {
    const message = `the image ${canonical(image)} does not say what to start; give the service ${name} a command`;
    throw new Fault("image-unfit", { retry: "never", message });
  }
  return (put) => [
    ...(entrypoint === undefined ? first : entrypoint.map(put)),
    ...(isOwn ? argv.map(put) : found.command),
  ];
}

/** The folders that its template names, and those that the image does, but for what lies in one of them or has one in it. */
function stayingOf(named: readonly string[], volumes: readonly string[]): string[] {
  const found = [...named];
  const isIn = (folder: string, other: string): boolean => `${folder}/`.startsWith(`${other}/`);
  for (const volume of volumes.map((each) => normalize(`/${each}/.`))) {
    const isApart = [...found, ...notForImages].every((other) => !isIn(volume, other) && !isIn(other, volume));
    if (isApart && volume !== "/") found.push(volume);
  }
  return found;
}

/** Any path is one name of its own. */
function toFileName(inside: string): string {
  const name = encodeURIComponent(inside.slice(1));
  return name.length <= 200 ? name : createHash("sha256").update(inside).digest("hex");
}

/** What its keeper does not take is said in its words; one of an earlier release knows nothing of it. */
function unfit({ name }: Agent, { message: said }: Fault): Fault {
  const message = said.includes("there is no request")
    ? `its keeper is of an earlier release and cannot show an image; restart the agent: signalbox agent restart ${name}`
    : said;
  return new Fault("image-unfit", { retry: "never", message });
}
