/** The parts of the app side of the extension's own library that the tests use: `App` of `@modelcontextprotocol/ext-apps`. */
export interface AppSide {
	/** What the host said, method and params, in order. */
	readonly heard: { readonly method: string; readonly params: Record<string, unknown> }[];
	/** What the host said it can do. */
	readonly capabilities: () => Record<string, unknown> | undefined;
	readonly context: () => Record<string, unknown> | undefined;
	callTool(name: string, args: Record<string, unknown>): Promise<Record<string, unknown>>;
	readResource(uri: string): Promise<Record<string, unknown>>;
	listResources(): Promise<Record<string, unknown>>;
	openLink(url: string): Promise<Record<string, unknown>>;
	sendMessage(text: string): Promise<Record<string, unknown>>;
	updateModelContext(text: string, structuredContent?: Record<string, unknown>): Promise<unknown>;
	sendSize(width: number, height: number): Promise<void>;
	downloadFile(contents: readonly Record<string, unknown>[]): Promise<{ readonly isError?: boolean }>;
	requestTeardown(): Promise<void>;
	createMessage(params: Record<string, unknown>): Promise<Record<string, unknown>>;
	requestDisplayMode(mode: string): Promise<Record<string, unknown>>;
}

/** Connects an app of the library over a pair of functions; resolves once it is initialized. `takesTeardown`: it answers that. */
export declare function startAppSide(
	send: (message: unknown) => void,
	listen: (listener: (message: unknown) => void) => void,
	takesTeardown?: boolean,
	availableDisplayModes?: readonly string[],
): Promise<AppSide>;
