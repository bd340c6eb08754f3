/**
 * Said first by whoever listens at the outer end of a bridge. A connection to somebody who is dying is taken by nobody, and
 * breaks; only one that was greeted is anybody's. Whoever reads HTTP passes an empty line over.
 */
export const bridgeGreeting = "\n";
