/**
 * Where the ports of agents are on the machine: an address of its loopback that nobody else uses. Browsers send cookies to
 * a host whatever the port, so a page of an agent must not have the console's address.
 */
export const outerHost = "127.0.0.2";
