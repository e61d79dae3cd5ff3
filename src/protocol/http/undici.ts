// Of a CommonJS package a dynamic import in the bundle has the default export only: its names come by way of a module.
export { Agent, fetch, Pool, ProxyAgent } from "undici";
