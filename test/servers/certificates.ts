import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A certificate authority of our own and a certificate of it for 127.0.0.1, as files in PEM. */
export interface TestCertificates {
	readonly authorityPath: string;
	readonly key: Buffer;
	readonly certificate: Buffer;
}

/** Makes an authority and a certificate in a folder, by `openssl`. */
export function makeCertificates(folder: string): TestCertificates {
	const path = (name: string): string => join(folder, name);
	const openssl = (...args: string[]): void => void execFileSync("openssl", args, { cwd: folder, stdio: "pipe" });
	const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
	openssl("req", "-x509", ...newKey, "-days", "2", "-subj", "/CN=Test CA", "-keyout", "ca.key", "-out", "ca.pem");
	openssl("req", "-new", ...newKey, "-subj", "/CN=server", "-keyout", "server.key", "-out", "server.csr");
	writeFileSync(path("san.cnf"), "subjectAltName=IP:127.0.0.1,DNS:mcp.test\n");
	const byAuthority = ["-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2", "-extfile", "san.cnf"];
	openssl("x509", "-req", "-in", "server.csr", ...byAuthority, "-out", "server.pem");
	return {
		authorityPath: path("ca.pem"),
		key: readFileSync(path("server.key")),
		certificate: readFileSync(path("server.pem")),
	};
}
