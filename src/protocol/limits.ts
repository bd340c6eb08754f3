// How much anyone may send. Every string, list and number that crosses a socket is bounded by one of these.

export const limits = {
  /** Of one request, whatever carries it. */
  requestBytesMax: 1_048_576,
  /** How deep objects and lists may nest in a request. */
  depthMax: 32,
  /** How many values there may be in a request, all lists and objects counted together. */
  valuesMax: 100_000,
  nameCharsMax: 64,
  keyCharsMax: 128,
  titleCharsMax: 200,
  textCharsMax: 65_536,
  pathCharsMax: 4096,
  /** Lines of a file in one answer, and how deep a list goes. */
  linesMax: 100_000,
  listDepthMax: 16,
  /** Changes of a file in one answer, each with its diff. */
  pastMax: 100,
  pastDefault: 20,
  unitCharsMax: 4200,
  unitsMax: 256,
  /** Of all units of one claim together: claims are remembered after their end. */
  unitsCharsMax: 65_536,
  tagsMax: 32,
  argvMax: 64,
  argCharsMax: 4096,
  patternsMax: 256,
  patternCharsMax: 512,
  processesMax: 64,
  testTimeMsMin: 1000,
  testTimeMsMax: 24 * 3_600_000,
  dependsOnMax: 64,
  priorityMax: 1000,
  scriptCharsMax: 262_144,
  scriptStepsMax: 10_000,
  ttlMsMin: 100,
  ttlMsMax: 86_400_000,
  deadlineMsMax: 604_800_000,
  /** The longest that one request waits for something to happen. Ask again to wait longer. */
  waitMsMax: 60_000,
  /** Of one file's two sides together, and of all files of one diff: whatever is larger is named and not shown. */
  diffFileBytesMax: 2_097_152,
  diffBytesMax: 16_777_216,
  /** Of an artifact, in one answer. */
  artifactBytesMax: 262_144,
  /** Of something in the trash, in one answer. */
  trashBytesMax: 67_108_864,
  /** Of one answer with the output of a command. */
  outputBytesMax: 524_288,
  /** Of a task: what comes along with it, and the paths that its runs may change. One file has to fit into one request. */
  attachmentsMax: 32,
  attachmentNameCharsMax: 48,
  attachmentBytesMax: 524_288,
  noteCharsMax: 16_384,
  urlCharsMax: 2048,
  scopePathsMax: 64,
  /** Of how many lives of a service what it said is kept: nobody looks for those before them. */
  serviceLivesMax: 5,
  pageMax: 1000,
  /** Steps of a run in one answer. */
  storyStepsMax: 200,
  pageDefault: 100,
  /** Filters of an event stream. */
  typesMax: 32,
} as const;
