import { X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import * as tls from "node:tls";
import { HostError, messageOf } from "../base/errors.ts";
import type { NetworkSettings } from "../connection/limits.ts";

const pemBlock = /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----[^-]+-----END (?:TRUSTED |X509 )?CERTIFICATE-----/g;

/**
 * Whom TLS connections trust where that is more than Node does by itself: what Node trusts, the files of the settings,
 * those of NODE_EXTRA_CA_CERTS and SSL_CERT_FILE, and the operating system's authorities if the settings say so.
 * Undefined where nothing is added.
 * @throws HostError `start-failed` that names a file that cannot be used.
 */
export async function trustedAuthorities(settings: NetworkSettings): Promise<tls.SecureContext | undefined> {
	const files = (settings.certificateAuthorities ?? []).map((path) => ({ path, source: "the settings" }));
	// Node reads the first of them at its own start only, and the second never.
	for (const source of ["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE"]) {
		const path = settings.environment[source];
		if (path !== undefined && path !== "") files.push({ path, source });
	}
	const added = (await Promise.all(files.map(({ path, source }) => readAuthorities(path, source)))).flat();
	if (settings.trustSystem === true) added.push(...authoritiesOfSystem().map((text) => text.trim()));
	const byDefault = new Set(authoritiesOf("default").map((text) => text.trim()));
	const all = new Set([...byDefault, ...added]);
	if (all.size === byDefault.size) return undefined;
	// One context for all connections, and one text: reading hundreds of certificates takes long, one by one still longer.
	return tls.createSecureContext({ ca: [...all].join("\n") });
}

async function readAuthorities(path: string, source: string): Promise<readonly string[]> {
	const failed = (why: string, cause?: unknown): HostError =>
		new HostError("start-failed", `The certificate authorities in ${path} (named by ${source}) ${why}.`, { cause });
	const text = await readFile(path, "utf8").catch((error: unknown) => {
		throw failed(`cannot be read: ${messageOf(error)}`, error);
	});
	const blocks = text.match(pemBlock) ?? [];
	if (blocks.length === 0) throw failed("cannot be used: the file holds no certificate in PEM format");
	try {
		// As one text each, so that those that Node trusts anyway are recognised.
		return blocks.map((block) => new X509Certificate(block).toString().trim());
	} catch (error) {
		throw failed("cannot be used: a certificate in the file is damaged", error);
	}
}

let ofSystem: readonly string[] | undefined;

/** Asked for once: the answer can take long, and only a restart changes it. */
function authoritiesOfSystem(): readonly string[] {
	ofSystem ??= authoritiesOf("system");
	return ofSystem;
}

function authoritiesOf(kind: "default" | "system"): readonly string[] {
	const builtIn = kind === "default" ? tls.rootCertificates : [];
	// Missing before Node 22.15 and where the editor's Node is built without it.
	if (typeof tls.getCACertificates !== "function") return builtIn;
	try {
		return tls.getCACertificates(kind);
	} catch {
		return builtIn;
	}
}
