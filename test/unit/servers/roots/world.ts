import { matchesAny } from "../../../../src/base/glob.ts";
import { offer, type RootsOffer, type RootsRequest, type RootsWorld } from "../../../../src/servers/roots/offer.ts";
import type { OpenFolder } from "../../../../src/servers/roots/roots.ts";
import { userOrigin } from "../fixtures.ts";

/** Folders of this machine, each named by the last part of its path. */
export function folders(...paths: readonly string[]): readonly OpenFolder[] {
	return paths.map((path) => ({ name: path.split(/[\\/]/).at(-1) ?? "", scheme: "file", path }));
}

/** A window of two folders on a machine of the user `me`. */
export function world(changes: Partial<RootsWorld> = {}): RootsWorld {
	return {
		folders: folders("/work/client", "/work/server"),
		home: "/home/me",
		isWindows: false,
		matches: (subject, pattern) => matchesAny(subject, [pattern]),
		...changes,
	};
}

/** The roots of a user's own server without configuration, or with the given changes. */
export function offered(request: Partial<RootsRequest> = {}, changes: Partial<RootsWorld> = {}): RootsOffer {
	const nothing = { origin: userOrigin, asked: undefined, approved: undefined, own: undefined, choice: undefined };
	return offer({ ...nothing, ...request }, world(changes));
}

/** The offered URIs, without their scheme. */
export function told(request: Partial<RootsRequest> = {}, changes: Partial<RootsWorld> = {}): readonly string[] {
	return offered(request, changes).roots.map(({ uri }) => uri.replace("file://", ""));
}
