import { BlockList, isIP } from "node:net";

/** Where an address leads: outside, into the network around this machine, to this machine, or where nobody may be sent. */
export type AddressRange = "public" | "private" | "loopback" | "forbidden";

const ranges: readonly (readonly [AddressRange, readonly string[]])[] = [
	["loopback", ["127.0.0.0/8", "::1/128"]],
	// Cloud metadata services (169.254.169.254) and addresses that name no host.
	["forbidden", ["0.0.0.0/8", "169.254.0.0/16", "224.0.0.0/4", "240.0.0.0/4", "::/128", "fe80::/10", "ff00::/8"]],
	["private", ["10.0.0.0/8", "100.64.0.0/10", "172.16.0.0/12", "192.168.0.0/16", "198.18.0.0/15", "fc00::/7"]],
];

const lists = ranges.map(([range, subnets]) => {
	const list = new BlockList();
	for (const subnet of subnets) {
		const [net = "", prefix = ""] = subnet.split("/");
		list.addSubnet(net, Number(prefix), isIP(net) === 6 ? "ipv6" : "ipv4");
	}
	return [range, list] as const;
});

/** The range of an IP address, IPv4 in IPv6 included; what is no address is `forbidden`. */
export function rangeOf(address: string): AddressRange {
	const family = isIP(address);
	if (family === 0) return "forbidden";
	return lists.find(([, list]) => list.check(address, family === 6 ? "ipv6" : "ipv4"))?.[0] ?? "public";
}

/**
 * The range that a URL's host names by itself, without asking a name server; undefined for a name that has to be looked
 * up. `localhost` and the names below it are loopback (RFC 6761).
 */
export function literalRange({ hostname }: URL): AddressRange | undefined {
	const host = hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
	if (isIP(host) !== 0) return rangeOf(host);
	return host === "localhost" || host.endsWith(".localhost") ? "loopback" : undefined;
}
