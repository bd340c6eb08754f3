/** The run went on without this driver: it was ended, or came back as another family. */
export class DriverOvertaken extends Error {
  override readonly name = "DriverOvertaken";
}
