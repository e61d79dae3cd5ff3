import { homedir } from "node:os";
import { resolve } from "node:path";
import { HostError } from "../../base/errors.ts";
import type { ServerDefinition, ServerId } from "./config.ts";
import { partInside } from "./partInside.ts";

/** The servers whose last start ended because a part of them is in a workspace that is not trusted. */
const waiting = new Set<ServerId>();

/** A start that ended because a part of the server is in a workspace that is not trusted (CFG-26). */
export class NeedsTrust extends HostError {
	/** Names the part, such as `argument 3`. */
	readonly part: string;

	constructor(part: string) {
		super("invalid", `Needs trust: ${part} is in this workspace, which is not trusted. It starts once you trust it.`);
		this.part = part;
	}
}

/** Notes whether a start ended because the workspace is not trusted. */
export function noteTrustWait(id: ServerId, isWaiting: boolean): void {
	if (isWaiting) waiting.add(id);
	else waiting.delete(id);
}

/** Whether the last start of a server ended because the workspace is not trusted. */
export function isWaitingForTrust(id: ServerId): boolean {
	return waiting.has(id);
}

/** A server that can be started again. */
interface Startable {
	readonly definition: Pick<ServerDefinition, "id">;
	readonly state: { readonly kind: string };
	start(): Promise<unknown>;
}

/** Starts the servers that failed only because the workspace was not trusted, now that it is (FST-23). */
export function startTrusted(sessions: readonly Startable[]): void {
	const mine = sessions.filter(({ definition, state }) => state.kind === "failed" && waiting.has(definition.id));
	for (const session of mine) void session.start();
}

/**
 * Why a user's own server would not start while the open folders are not trusted, as a sentence for its review; undefined
 * where nothing of it is in them. Variables count as they are written: the start itself looks at their values.
 */
export async function trustWarning(
	{ config, origin }: Pick<ServerDefinition, "config" | "origin">,
	folders: readonly string[],
): Promise<string | undefined> {
	if (config.kind !== "stdio") return undefined;
	const cwd = resolve(origin.folder ?? homedir(), config.cwd ?? ".");
	const { command, args, env, envFile } = config;
	const launch = { kind: "stdio" as const, command, args, env, envFile, cwd };
	const part = await partInside(launch, folders, config.cwd !== undefined);
	return part === undefined ? undefined : trustWords(part, false);
}

/** The sentences about a part of one or several servers that is in a workspace which is not trusted. */
export function trustWords(part: string, isSeveral: boolean): string {
	const what = isSeveral ? "These servers start" : "The server starts";
	return `This workspace is not trusted, and ${part} is in it. ${what} only once you trust the workspace.`;
}
