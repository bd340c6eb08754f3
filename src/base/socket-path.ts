/** What the kernel takes as the path of a socket. A longer one is refused, or cut off without a word. */
export const socketPathBytesMax = 107;
