/** Who is behind a request: a person by hand, a model in a turn, an app of a server, the server itself, or the host. */
export type Asker = "person" | "model" | "app" | "server" | "host";
