/** The number of the event that made an id: ids are spelled from it. Families of a run carry the run's. */
export function numberOfId(id: string): number | undefined {
  const spelled = /^[a-z]_([0-9a-z]{1,11})(?:\.\d+)?$/.exec(id)?.[1];
  const number = spelled === undefined ? Number.NaN : Number.parseInt(spelled, 36);
  return Number.isSafeInteger(number) && number > 0 ? number : undefined;
}
