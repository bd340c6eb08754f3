/** The tools that the door has for models. */
export const doorToolNames = [
  ...["read_file", "list_files", "search_files", "write_file", "edit_file", "apply_patch", "move", "resolve", "delete"],
  ...["run_command", "read_output", "write_input", "stop_command", "run_process"],
  ...["claim", "release", "locks", "submit_plan"],
  ...["ask_user", "publish_artifact", "read_artifact", "report_progress", "start_subrun", "start_run", "wait_run"],
  "finish",
] as const;
