/**
 * The address under which the person's browser reaches an address on the machine of the extension: `external` is what
 * the editor gives for `origin/`, a forwarded port or a path behind a proxy. Path and query stay as they are, to the letter.
 */
export function externalAddress(url: URL, external: string): string {
	const base = new URL(external);
	if (base.origin === url.origin) return url.href;
	return `${base.origin}${base.pathname.replace(/\/$/, "")}${url.pathname}${url.search}${url.hash}`;
}
