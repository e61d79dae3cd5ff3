/**
 * Loaded before a server (`node --import`): Node uses the server's modules as compiled by an earlier start. A test run
 * starts hundreds, and compiling takes half of each start.
 */
import { enableCompileCache, flushCompileCache } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

// Node 20 does not support it, and compiles each time.
enableCompileCache?.(join(tmpdir(), "mcp-host-compile-cache"));
// A killed server writes nothing at its end.
if (flushCompileCache !== undefined) setTimeout(() => flushCompileCache(), 2000).unref();
