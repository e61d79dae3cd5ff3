import { describe, expect, it } from "vitest";
import { configuredProxies, proxyFor } from "../../../../src/protocol/http/proxies.ts";

/** Whether a URL uses the proxy under the given exceptions. */
function isProxied(url: string, exceptions: string): boolean {
	const environment = { HTTP_PROXY: "http://proxy:1", https_proxy: "http://proxy:2", NO_PROXY: exceptions };
	return proxyFor(new URL(url), configuredProxies({ environment })) !== undefined;
}

describe("proxies", () => {
	it.each([
		["http://example.com/", "", true],
		["http://example.com/", "*", false],
		["http://example.com/", "example.com", false],
		["http://api.example.com/", "example.com", false],
		["http://api.example.com/", ".example.com", false],
		["http://api.example.com/", "*.example.com", false],
		["http://badexample.com/", "example.com", true],
		["http://EXAMPLE.com/", "other.com, Example.COM", false],
		["http://example.com:8080/", "example.com:8080", false],
		["http://example.com/", "example.com:8080", true],
		["https://example.com/", "example.com:443", false],
		["http://10.1.2.3/", "10.0.0.0/8", false],
		["http://11.1.2.3/", "10.0.0.0/8", true],
		["http://[fd00::1]/", "fd00::/8", false],
		["http://[fd00::1]/", "[fd00::1]", false],
		["http://[fd00::1]/", "fd00::1", false],
		["http://10.1.2.3/", "10.0.0.0/99", true],
		["http://localhost:1/", "", false],
		["http://app.localhost:1/", "", false],
		["http://127.8.9.1:1/", "", false],
		["http://[::1]:1/", "", false],
		["http://localhost.evil.example/", "", true],
		["http://localhost:1/", "<-loopback>", true],
	])("of %s with the exceptions '%s': %s", (url, exceptions, proxied) => {
		expect(isProxied(url, exceptions)).toBe(proxied);
	});

	it("are chosen by the scheme, and those of the settings take precedence", () => {
		const environment = { HTTP_PROXY: "http://plain:1", HTTPS_PROXY: "http://secure:2", NO_PROXY: "a.example" };
		const fromEnvironment = configuredProxies({ environment });
		expect(proxyFor(new URL("http://b.example"), fromEnvironment)?.host).toBe("plain:1");
		expect(proxyFor(new URL("https://b.example"), fromEnvironment)?.host).toBe("secure:2");
		const fromSettings = configuredProxies({ environment, proxy: "http://set:3", noProxy: [] });
		expect(proxyFor(new URL("https://a.example"), fromSettings)?.host).toBe("set:3");
	});

	it("of plain http are not used for https", () => {
		const proxies = configuredProxies({ environment: { HTTP_PROXY: "http://plain:1" } });
		expect(proxyFor(new URL("https://b.example"), proxies)).toBeUndefined();
	});
});
