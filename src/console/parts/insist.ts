/** How it is with the daemon, and how long to wait before it is asked again. */
type World = { readonly isDaemonThere: () => Promise<boolean>; readonly pause: () => Promise<void> };

/** Loads something, again and again while the daemon is away. It fails where the daemon was there before a try and after it. */
export async function insist<T>(load: () => Promise<T>, { isDaemonThere, pause }: World): Promise<T> {
  for (let wasThere = false; ;) {
    try {
      return await load();
    } catch (error) {
      const isThere = await isDaemonThere();
      if (wasThere && isThere) throw error;
      wasThere = isThere;
      await pause();
    }
  }
}
