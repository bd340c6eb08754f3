// What an agent's service may be: it answers plainly, and in every way that a proxy could get wrong. It runs in a cage, with
// the library for WebSockets as its only neighbour.

import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import net from "node:net";
import { WebSocketServer } from "ws";

type Route = (asked: IncomingMessage, answer: ServerResponse) => void;

let written = 0;
let goOn = (): void => undefined;

const page = `<!doctype html><title>shop</title><p id=said></p><script>
document.cookie = "mine=1; path=/";
document.cookie = "wide=1; path=/; domain=localhost";
const socket = new WebSocket("ws://" + location.host + "/socket");
socket.onopen = () => socket.send("hello");
socket.onmessage = ({ data }) => { document.getElementById("said").textContent = data; };
</script>`;

const routes: Readonly<Record<string, Route>> = {
  "/health": (_, answer) => answer.end("well"),
  "/echo": ({ rawHeaders, method, url }, answer) => {
    const names = rawHeaders.flatMap((name, at, all) => (at % 2 === 0 ? [[name.toLowerCase(), all[at + 1]]] : []));
    answer.end(JSON.stringify({ method, url, headers: Object.fromEntries(names) as object }));
  },
  "/mirror": (asked, answer) => void asked.pipe(answer),
  "/digest": (asked, answer) => {
    const hash = createHash("sha256");
    let bytes = 0;
    asked.on("data", (part: Buffer) => {
      hash.update(part);
      bytes += part.length;
    });
    asked.on("end", () => answer.end(`${bytes} ${hash.digest("hex")}`));
  },
  "/parts": (_, answer) => {
    answer.write("first\n");
    goOn = () => void answer.end("last\n");
  },
  "/go": (_, answer) => {
    goOn();
    answer.end();
  },
  "/sized": ({ method }, answer) => {
    answer.setHeader("content-length", "5");
    answer.end(method === "HEAD" ? undefined : "sized");
  },
  "/empty": (_, answer) => answer.writeHead(204).end(),
  "/same": (_, answer) => answer.writeHead(304, { etag: '"1"' }).end(),
  "/redirect": (_, answer) => answer.writeHead(307, { location: "http://127.0.0.1:1/elsewhere" }).end(),
  "/cookies": ({ headers }, answer) => {
    const { port } = new URL(`http://${headers.host}`);
    const cookies = ["a=1; Domain=localhost; Path=/", "b=2; HttpOnly", `signalbox_face_${port}=stolen; Path=/`];
    answer.setHeader("set-cookie", cookies);
    answer.setHeader("alt-svc", 'h2="127.0.0.1:1"');
    answer.end("cookies");
  },
  "/endless": (_, answer) => {
    const part = Buffer.alloc(65_536);
    written = 0;
    const more = (): void => {
      for (let goesOn = !answer.destroyed; goesOn; written += part.length) goesOn = answer.write(part);
    };
    answer.on("drain", more);
    answer.on("close", () => (written = -1));
    more();
  },
  "/written": (_, answer) => answer.end(String(written)),
  "/cut": (asked, answer) => {
    answer.setHeader("content-length", "100");
    answer.write("only this", () => asked.socket.destroy());
  },
  "/early": (_, answer) => answer.writeHead(413).end("too much"),
  "/pid": (_, answer) => answer.end(String(process.pid)),
  "/die": () => process.exit(3),
  "/home": (_, answer) => {
    answer.setHeader("content-type", "text/html");
    answer.end(page);
  },
  "/mcp": ({ headers }, answer) => answer.end(JSON.stringify(headers)),
};

const server = createServer((asked, answer) => {
  const route = routes[asked.url?.split("?")[0] ?? ""];
  if (route === undefined) answer.writeHead(404).end("the service knows no such page");
  else route(asked, answer);
});
server.on("checkContinue", (asked, answer) => {
  if (asked.url === "/early") return void answer.writeHead(413).end("too much");
  answer.writeContinue();
  server.emit("request", asked, answer);
  return undefined;
});
const sockets = new WebSocketServer({ noServer: true, handleProtocols: ([first = ""]) => first });
server.on("upgrade", (asked, wire, head) => {
  if (asked.url !== "/socket") {
    wire.end("HTTP/1.1 403 Forbidden\r\ncontent-length: 2\r\nconnection: close\r\n\r\nno");
    return;
  }
  sockets.handleUpgrade(asked, wire, head, (socket) => {
    socket.on("message", (data: Buffer, isBinary) => {
      const said = data.toString();
      if (said === "headers") socket.send(JSON.stringify(asked.headers));
      else if (said === "die") wire.destroy();
      else socket.send(data, { binary: isBinary });
    });
  });
});
server.listen(Number(process.env["PORT_HTTP"]), "127.0.0.1");
net.createServer((socket) => socket.end("this is no HTTP\n")).listen(Number(process.env["PORT_RAW"]), "127.0.0.1");
