// What one writes first: every event to every client, spelled anew for each. Events come as JSON lines over a socket.

import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { createInterface } from "node:readline";
import { WebSocketServer } from "ws";

const [folder = ""] = process.argv.slice(2);
const server = new WebSocketServer({ host: "127.0.0.1", port: 0, perMessageDeflate: false });
const lines = net.createServer((socket) => {
  createInterface({ input: socket }).on("line", (line) => {
    const event: unknown = JSON.parse(line);
    for (const client of server.clients) client.send(JSON.stringify(event));
  });
});
server.once("listening", () => {
  lines.listen(path.join(folder, "s"), () => {
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    fs.writeFileSync(path.join(folder, "port.new"), String(port));
    fs.renameSync(path.join(folder, "port.new"), path.join(folder, "port"));
  });
});
