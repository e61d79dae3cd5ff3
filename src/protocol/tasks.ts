/** Declares the extension "Tasks": the host takes a task in answer to every `tools/call` ("Capability Negotiation"). */
export const tasksExtension = { "io.modelcontextprotocol/tasks": {} };
