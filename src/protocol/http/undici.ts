// Of a CommonJS package a dynamic import in the bundle has the default export only: its names come by way of a module.
export { Agent, Pool, ProxyAgent } from "undici";
