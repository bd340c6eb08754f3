// Numbers of the system calls that the cage knows, for the two kinds of processor that we run on.

export type Arch = "x64" | "arm64";

/** As the kernel names a calling convention to a filter. */
export const auditArch: Readonly<Record<Arch, number>> = { x64: 0xc000003e, arm64: 0xc00000b7 };

/** Refused whatever their arguments are: they change the machine, or reach around the walls. */
export const refusedCalls: Readonly<Record<string, Readonly<Record<Arch, number | null>>>> = {
  acct: { x64: 163, arm64: 89 },
  add_key: { x64: 248, arm64: 217 },
  bpf: { x64: 321, arm64: 280 },
  create_module: { x64: 174, arm64: null },
  delete_module: { x64: 176, arm64: 106 },
  finit_module: { x64: 313, arm64: 273 },
  fsconfig: { x64: 431, arm64: 431 },
  fsmount: { x64: 432, arm64: 432 },
  fsopen: { x64: 430, arm64: 430 },
  fspick: { x64: 433, arm64: 433 },
  get_kernel_syms: { x64: 177, arm64: null },
  init_module: { x64: 175, arm64: 105 },
  io_uring_enter: { x64: 426, arm64: 426 },
  io_uring_register: { x64: 427, arm64: 427 },
  io_uring_setup: { x64: 425, arm64: 425 },
  ioperm: { x64: 173, arm64: null },
  iopl: { x64: 172, arm64: null },
  kexec_file_load: { x64: 320, arm64: 294 },
  kexec_load: { x64: 246, arm64: 104 },
  keyctl: { x64: 250, arm64: 219 },
  lookup_dcookie: { x64: 212, arm64: 18 },
  modify_ldt: { x64: 154, arm64: null },
  mount: { x64: 165, arm64: 40 },
  mount_setattr: { x64: 442, arm64: 442 },
  move_mount: { x64: 429, arm64: 429 },
  nfsservctl: { x64: 180, arm64: 42 },
  open_by_handle_at: { x64: 304, arm64: 265 },
  open_tree: { x64: 428, arm64: 428 },
  open_tree_attr: { x64: 467, arm64: 467 },
  perf_event_open: { x64: 298, arm64: 241 },
  pivot_root: { x64: 155, arm64: 41 },
  query_module: { x64: 178, arm64: null },
  quotactl: { x64: 179, arm64: 60 },
  quotactl_fd: { x64: 443, arm64: 443 },
  reboot: { x64: 169, arm64: 142 },
  request_key: { x64: 249, arm64: 218 },
  setns: { x64: 308, arm64: 268 },
  settimeofday: { x64: 164, arm64: 170 },
  swapoff: { x64: 168, arm64: 225 },
  swapon: { x64: 167, arm64: 224 },
  syslog: { x64: 103, arm64: 116 },
  umount2: { x64: 166, arm64: 39 },
  userfaultfd: { x64: 323, arm64: 282 },
  vhangup: { x64: 153, arm64: 58 },
};

/** Judged by their arguments. */
export const judgedCalls: Readonly<
  Record<"clone" | "clone3" | "ioctl" | "socket" | "unshare", Readonly<Record<Arch, number>>>
> = {
  clone: { x64: 56, arm64: 220 },
  clone3: { x64: 435, arm64: 435 },
  ioctl: { x64: 16, arm64: 29 },
  socket: { x64: 41, arm64: 198 },
  unshare: { x64: 272, arm64: 97 },
};
