import { HostError, messageOf } from "../../base/errors.ts";
import type { Challenge } from "../../protocol/http/challenge.ts";
import { EndpointGuard } from "../../protocol/authorization/endpointGuard.ts";
import type { Network } from "../../protocol/http/network.ts";
import type { SignInFacts } from "./probes.ts";

/**
 * What a server and its authorization server say of a sign-in: read as a sign-in reads it, by the same guard of addresses,
 * without registering or asking for anything. Rejects with the signal's reason only.
 */
export async function checkSignIn(
	url: URL,
	challenge: Challenge,
	network: Network,
	signal: AbortSignal,
): Promise<SignInFacts> {
	const { discover, requirePkce } = await import("../../protocol/authorization/discovery.ts");
	const guard = new EndpointGuard(url);
	const fetch = guard.guarding((address, init) => network.fetch(address, init), signal);
	try {
		const discovery = await discover(url, challenge, fetch);
		const { metadata, issuer } = discovery;
		const registers = metadata === undefined || metadata.registration_endpoint !== undefined;
		try {
			requirePkce(discovery);
		} catch (error) {
			return { issuer, registers, problem: messageOf(error) };
		}
		return { issuer, registers };
	} catch (error) {
		signal.throwIfAborted();
		return { registers: true, problem: HostError.is(error) ? error.message : messageOf(error) };
	}
}
