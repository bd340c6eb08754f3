// An image with the PostgreSQL of this machine, which behaves as the one that people know: it makes its database when there is
// none, and has its data in a volume.

import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { copyLibraries } from "./image-root.ts";
import type { Podman } from "./podman.ts";

const data = "/var/lib/postgresql/data";

const entrypoint = `#!/bin/sh
set -e
if [ "$1" = postgres ] && [ ! -s "$PGDATA/PG_VERSION" ]; then
  printenv POSTGRES_PASSWORD > /tmp/password
  initdb --username=postgres --pwfile=/tmp/password --auth=scram-sha-256 --encoding=UTF8 --locale=C --no-sync
  rm /tmp/password
fi
exec "$@"
`;

/** `bin` is where Debian has the programs of one version. */
export function makePostgresImage(podman: Podman, name: string, bin: string): void {
  const version = basename(dirname(bin));
  const share = `/usr/share/postgresql/${version}`;
  const lines = [
    ...[`ENV PATH=${bin}:/usr/local/bin:/usr/bin:/bin`, `ENV PGDATA=${data}`, `VOLUME ${data}`, "WORKDIR /srv"],
    ...['ENTRYPOINT ["docker-entrypoint.sh"]', 'CMD ["postgres"]', "USER postgres"],
  ];
  podman.make(name, lines, ["sh", "cat", "ls", "rm", "printenv", "id"], (root) => {
    for (const folder of [dirname(bin), share]) {
      mkdirSync(join(root, dirname(folder)), { recursive: true });
      execFileSync("cp", ["-RL", folder, join(root, dirname(folder))]);
    }
    copyLibraries(
      root,
      ["postgres", "initdb", "pg_isready", "psql"].map((program) => join(bin, program)),
    );
    for (const folder of [data, "run/postgresql", "usr/local/bin"]) mkdirSync(join(root, folder), { recursive: true });
    symlinkSync("/run", join(root, "var/run"));
    writeFileSync(join(root, "usr/local/bin/docker-entrypoint.sh"), entrypoint, { mode: 0o755 });
  });
}
