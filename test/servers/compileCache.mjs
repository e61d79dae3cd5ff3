/**
 * Loaded before a server (`node --import`): Node takes the server's modules as an earlier start has compiled them. A test run starts
 * hundreds, and compiling takes half of each start.
 */
import { enableCompileCache, flushCompileCache } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

// Node 20 has none, and compiles each time.
enableCompileCache?.(join(tmpdir(), "mcp-host-compile-cache"));
// A server that is killed writes nothing at its end.
if (flushCompileCache !== undefined) setTimeout(() => flushCompileCache(), 2000).unref();
