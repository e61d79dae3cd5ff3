import type { Disposable } from "../../base/lifecycle.ts";
import { messageOf } from "../../base/errors.ts";
import { canonicalJson } from "../../base/json.ts";
import type { Connection, ConnectRequest } from "../connection.ts";
import type { Launch } from "../launch.ts";
import { connect } from "./connect.ts";
import { GuestTransport } from "../shared/guestTransport.ts";
import { OwnerTransport } from "../shared/ownerTransport.ts";
import type { OwnClaim, ServerSharing } from "../shared/sharing.ts";
import { serverEnvironment } from "../stdio/serverEnvironment.ts";
import { StdioTransport } from "../stdio/stdioTransport.ts";

type StdioLaunch = Extract<Launch, { kind: "stdio" }>;

/** Whether a process of this launch can be shared: not one that a debugger attaches to, or whose variables are not read. */
function isShareable(launch: Launch): launch is StdioLaunch {
	return launch.kind === "stdio" && launch.debug === undefined && launch.envFile === undefined;
}

/**
 * Connects to a server: where windows share their processes, to the one that another window runs for it, otherwise to
 * one of its own that other windows may use from then on (GST-16). Throws as `connect` does.
 */
export async function connectShared(request: ConnectRequest): Promise<Connection> {
	const { launch, sharing } = request;
	if (sharing === undefined || !isShareable(launch)) return connect(request);
	return shareProcess(request, launch, sharing);
}

async function shareProcess(request: ConnectRequest, launch: StdioLaunch, sharing: ServerSharing): Promise<Connection> {
	const { signal, handlers } = request;
	const roots = canonicalJson(sharing.roots());
	const identity = await identityOf(request, launch, sharing.hash, roots);
	const { windows } = sharing;
	const claim = await (request.isAnew === true ? windows.own(identity) : windows.claim(identity, signal));
	const haveRootsChanged = (): boolean => canonicalJson(sharing.roots()) !== roots;
	const runOwn = async (mine: OwnClaim): Promise<Connection> => {
		let current: OwnerTransport | undefined;
		try {
			signal.throwIfAborted();
			const connection = await connect(request, (by, limits) => {
				current = new OwnerTransport(new StdioTransport(launch, by, limits));
				return current;
			});
			const hub = current?.hub;
			if (hub === undefined || haveRootsChanged()) return (mine.end(), connection);
			const { era, protocolVersion: version, pid } = connection.facts;
			const watching = sharing.onDidChangeRoots(() => {
				if (!haveRootsChanged()) return;
				mine.end();
				hub.endGuests("has other roots in the window that runs it");
			});
			void hub.ended.then(() => watching.dispose());
			mine.offer({ hub, pid, revision: { era, version } });
			return connection;
		} catch (error) {
			mine.end();
			throw error;
		}
	};
	if (claim.kind === "own") return runOwn(claim);

	const { era, version } = claim.revision;
	const verdict = era === "legacy" ? ({ kind: era } as const) : ({ kind: era, version } as const);
	let watching: Disposable | undefined;
	claim.stream.once("close", () => watching?.dispose());
	try {
		signal.throwIfAborted();
		return await connect({ ...request, verdict }, (by, limits) => {
			const guest = new GuestTransport(claim, by, limits);
			if (claim.stream.destroyed) return guest;
			const leave = (): void => {
				if (haveRootsChanged()) guest.lose("has other roots in this window than in the one that runs it");
			};
			watching = sharing.onDidChangeRoots(leave);
			// They may have changed while this window waited for the other one.
			leave();
			return guest;
		});
	} catch (error) {
		claim.stream.destroy();
		signal.throwIfAborted();
		handlers.onRetry?.(`The process of another window cannot be used: ${messageOf(error)} Starting one here.`);
		return runOwn(await windows.own(identity));
	}
}

/** All that decides how a process of a server behaves, as a text. It holds secrets. */
async function identityOf(
	{ client, protocol, extensions = {}, canSample = true }: ConnectRequest,
	launch: StdioLaunch,
	hash: string,
	roots: string,
): Promise<string> {
	const { command, args, cwd } = launch;
	// With what VS Code adds: a window that was opened from a terminal, or whose workspace is not trusted, may have another
	// PATH.
	const environment = await serverEnvironment(launch);
	const process = { command, args, cwd, environment };
	return canonicalJson({ hash, process, roots, client, protocol, extensions, canSample });
}
