import { isThisMachine } from "../../base/addresses.ts";
import { HostError, messageOf } from "../../base/errors.ts";
import { oneLine } from "../../base/text.ts";
import { EndpointGuard } from "../../protocol/authorization/endpointGuard.ts";
import { openNetwork } from "../../protocol/http/network.ts";
import { responseWords } from "../../protocol/http/responseWords.ts";
import type { NetworkSettings } from "../../protocol/limits.ts";
import { archiveLimits } from "./archive.ts";
import { type Bundle, readBundle } from "./bundle.ts";
import { bundleAddress } from "./bundleAddress.ts";

/** How a bundle is fetched. */
export interface FetchOptions {
	readonly network: NetworkSettings;
	/** Ends the download: the user cancelled it. */
	readonly signal: AbortSignal;
	/** The SHA-256 that the file must have, as a registry says it. */
	readonly expectedSha256?: string;
	/** Receives how many bytes have arrived, and how many are expected if that is known. */
	readonly onProgress?: (bytes: number, of: number | undefined) => void;
}

const mostRedirects = 5;
/** The maximum time without data, in milliseconds. */
const silenceMs = 60_000;

/**
 * Fetches a bundle from an `https:` URL, or from this machine, and reads it as `readBundle` does. Sends no credentials,
 * and follows redirects to other `https:` URLs only, to none in a network that the first one is not in.
 * @throws HostError whose message names the URL and says what to do: `invalid` for another kind of URL or an answer
 * that is not a bundle, `limit` for one that is too large, `unreachable` if nothing answers, `cancelled` by the signal.
 */
export async function fetchBundle(address: string, options: FetchOptions): Promise<Bundle> {
	const { network: settings, signal, expectedSha256 } = options;
	let url = urlOf(address, address);
	const network = openNetwork(settings);
	const guard = new EndpointGuard(url, undefined, `${shown(address)} was not fetched: it redirects to`);
	const silence = new AbortController();
	const timer = setTimeout(() => silence.abort(), silenceMs);
	try {
		for (let redirects = 0; ; redirects++) {
			const response = await network.fetch(url, {
				...(await guard.admit(url)),
				signal: AbortSignal.any([signal, silence.signal]),
			});
			const location = response.headers.get("location");
			if (response.status >= 300 && response.status < 400 && location !== null) {
				await response.body?.cancel();
				if (redirects === mostRedirects) fail(address, "it redirects too many times");
				url = urlOf(URL.parse(location, url.href)?.href ?? location, address, !isThisMachine(url));
				continue;
			}
			if (!response.ok) {
				fail(address, `its server answered with ${response.status}`, await responseWords(response));
			}
			const bytes = await bodyOf(response, address, (count, of) => {
				timer.refresh();
				options.onProgress?.(count, of);
			});
			return await readBundle(bytes, {
				label: url.href === address ? address : `${address} (${url.href})`,
				...(url.protocol === "http:" ? { isPlainHttp: true as const } : {}),
				...(expectedSha256 === undefined ? {} : { expectedSha256 }),
			});
		}
	} catch (cause) {
		if (signal.aborted)
			throw new HostError("cancelled", `${shown(address)} was not fetched: you cancelled it.`, { cause });
		if (silence.signal.aborted)
			throw new HostError("unreachable", `${shown(address)} was not fetched: no data arrived for a minute.`, { cause });
		if (HostError.is(cause) && cause.message.startsWith(shown(address))) throw cause;
		throw new HostError("unreachable", `${shown(address)} was not fetched: ${messageOf(cause)}`, { cause });
	} finally {
		clearTimeout(timer);
		await network.close();
	}
}

function urlOf(text: string, address: string, isElsewhere = false): URL {
	const url = bundleAddress(text, isElsewhere);
	return typeof url === "string" ? fail(address, url) : url;
}

async function bodyOf(
	response: Response,
	address: string,
	onProgress: (bytes: number, of: number | undefined) => void,
): Promise<Buffer> {
	const said = Number(response.headers.get("content-length") ?? Number.NaN);
	const pieces: Uint8Array[] = [];
	let length = 0;
	for await (const piece of response.body ?? []) {
		length += piece.length;
		if (length > archiveLimits.archive) {
			throw new HostError(
				"limit",
				`${shown(address)} was not fetched: it has more than ${archiveLimits.archive / 1024 / 1024} MB.`,
			);
		}
		pieces.push(piece);
		onProgress(length, Number.isFinite(said) ? said : undefined);
	}
	return Buffer.concat(pieces);
}

function shown(address: string): string {
	return oneLine(address, 300);
}

function fail(address: string, reason: string, words = ""): never {
	throw new HostError("invalid", `${shown(address)} was not fetched: ${reason}.${words}`);
}
