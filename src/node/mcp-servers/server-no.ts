/** Why a server of tools was not asked, and the status that says so. */
export class ServerNo extends Error {
  readonly status: number;
  readonly why: string;

  constructor(status: number, why: string) {
    super(why);
    this.status = status;
    this.why = why;
  }
}
