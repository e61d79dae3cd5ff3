import path from "node:path";
import { fileURLToPath } from "node:url";

/** The root of the repository. */
export const repositoryRoot = fileURLToPath(new URL("../..", import.meta.url));

/** Where suites put their reports, pictures and logs. */
export const outputFolder = path.join(repositoryRoot, "test-output");

/** The packaged extension. */
export const vsixFile = path.join(repositoryRoot, "mcp-host.vsix");

/** The source maps of the packaged extension, which esbuild.mjs writes. */
export const mapsFolder = path.join(repositoryRoot, "mcp-host.maps");
