// A dynamic import of a CommonJS package in the bundle has the default export only: its names need a module in between.
export { Agent, Pool, ProxyAgent } from "undici";
