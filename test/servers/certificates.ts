import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { generate } from "selfsigned";

/** A certificate authority of our own and a certificate of it for 127.0.0.1 and a name. */
export interface TestCertificates {
	/** The authority's certificate as a file in PEM. */
	readonly authorityPath: string;
	readonly key: string;
	readonly certificate: string;
}

/** Makes an authority and a certificate, for another name than mcp.test if one is given; the authority's is written into a folder. */
export async function makeCertificates(folder: string, name = "mcp.test"): Promise<TestCertificates> {
	const common = { keyType: "ec", algorithm: "sha256" } as const;
	const authority = await generate([{ name: "commonName", value: "Test CA" }], {
		...common,
		extensions: [
			{ name: "basicConstraints", cA: true, critical: true },
			{ name: "keyUsage", keyCertSign: true, cRLSign: true, critical: true },
		],
	});
	const server = await generate([{ name: "commonName", value: "server" }], {
		...common,
		ca: { key: authority.private, cert: authority.cert },
		extensions: [
			{
				name: "subjectAltName",
				altNames: [
					{ type: 7, ip: "127.0.0.1" },
					{ type: 2, value: name },
				],
			},
		],
	});
	const authorityPath = join(folder, "ca.pem");
	writeFileSync(authorityPath, authority.cert);
	return { authorityPath, key: server.private, certificate: server.cert };
}
