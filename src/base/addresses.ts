import { BlockList, isIP } from "node:net";

/** The target of an address: outside, the network around this machine, this machine, or a forbidden range. */
export type AddressRange = "public" | "private" | "loopback" | "forbidden";

const ranges: readonly (readonly [AddressRange, readonly string[]])[] = [
	["loopback", ["127.0.0.0/8", "::1/128"]],
	[
		"forbidden",
		[
			// Addresses that name no host, and cloud metadata services (169.254.169.254 and those of single providers).
			..."0.0.0.0/8 169.254.0.0/16 192.0.0.0/24 100.100.100.200/32 224.0.0.0/4 240.0.0.0/4".split(" "),
			..."::/128 fe80::/10 ff00::/8 fd00:ec2::254/128".split(" "),
			// Ranges of the protocol itself, including Teredo's tunnels (IANA's registry of special-purpose addresses).
			"2001::/23",
		],
	],
	["private", ["10.0.0.0/8", "100.64.0.0/10", "172.16.0.0/12", "192.168.0.0/16", "198.18.0.0/15"]],
	// Local addresses, those of sites (RFC 3879), and of a network's own translators (RFC 8215).
	["private", ["fc00::/7", "fec0::/10", "64:ff9b:1::/48"]],
];

const lists = ranges.map(([range, subnets]) => [range, listOf(subnets)] as const);
/** All that is given out to hosts in the world (RFC 4291, section 2.4). */
const unicast = listOf(["2000::/3"]);

function listOf(subnets: readonly string[]): BlockList {
	const list = new BlockList();
	for (const subnet of subnets) {
		const [net = "", prefix = ""] = subnet.split("/");
		list.addSubnet(net, Number(prefix), isIP(net) === 6 ? "ipv6" : "ipv4");
	}
	return list;
}

/**
 * The range of an IP address. For an IPv6 address that a translator or tunnel maps to IPv4, it is the range of the IPv4
 * address. `forbidden` for text that is not an address, and for addresses that were never assigned.
 */
export function rangeOf(address: string): AddressRange {
	const family = isIP(address);
	if (family === 0) return "forbidden";
	const plain = address.replace(/%.*$/s, "");
	const known = lists.find(([, list]) => list.check(plain, family === 6 ? "ipv6" : "ipv4"))?.[0];
	if (known !== undefined || family === 4) return known ?? "public";
	const embedded = embeddedIn(plain);
	if (embedded !== undefined) return rangeOf(embedded);
	return unicast.check(plain, "ipv6") ? "public" : "forbidden";
}

/** The IPv4 address that an IPv6 address embeds. */
function embeddedIn(address: string): string | undefined {
	const groups = groupsOf(address);
	const dotted = (at: number): string =>
		[groups[at] ?? 0, groups[at + 1] ?? 0].flatMap((group) => [group >> 8, group & 255]).join(".");
	const [first, second] = groups;
	// 6to4 (RFC 3056).
	if (first === 0x2002) return dotted(1);
	// ISATAP (RFC 5214), below any network.
	if (((groups[4] ?? 0) & 0xfdff) === 0 && groups[5] === 0x5efe) return dotted(6);
	const before = groups.slice(0, 6).join(" ");
	// NAT64 (RFC 6052), compatible and mapped addresses (RFC 4291, section 2.5.5), and translated ones (RFC 2765).
	const isTranslated = first === 0x64 && second === 0xff9b && groups.slice(2, 6).every((group) => group === 0);
	if (isTranslated || ["0 0 0 0 0 0", "0 0 0 0 0 65535", "0 0 0 0 65535 0"].includes(before)) return dotted(6);
	return undefined;
}

/** The eight groups of an IPv6 address, in any notation. */
function groupsOf(address: string): readonly number[] {
	const [front = [], back] = new URL(`http://[${address}]/`).hostname
		.slice(1, -1)
		.split("::")
		.map((part) => (part === "" ? [] : part.split(":").map((group) => Number.parseInt(group, 16))));
	return back === undefined ? front : [...front, ...Array<number>(8 - front.length - back.length).fill(0), ...back];
}

/**
 * The range of a URL's host, if it is known without a name server; undefined for a name that must be looked up.
 * `localhost` and the names below it are loopback (RFC 6761).
 */
export function literalRange({ hostname }: URL): AddressRange | undefined {
	const host = hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
	if (isIP(host) !== 0) return rangeOf(host);
	return host === "localhost" || host.endsWith(".localhost") ? "loopback" : undefined;
}

/** Whether a URL leads to this very machine, by what its host says itself. */
export function isThisMachine(url: URL): boolean {
	return literalRange(url) === "loopback";
}

/** Whether nobody on the way can change what comes from a URL: `https:`, or `http:` on this machine. */
export function isProtected(url: URL): boolean {
	if (url.protocol !== "http:") return url.protocol === "https:";
	// An address of IPv6 that represents one of IPv4 is a disguise here.
	return isThisMachine(url) && (url.hostname === "[::1]" || !url.hostname.startsWith("["));
}

const rangeNotes: Readonly<Record<AddressRange, string | undefined>> = {
	public: undefined,
	private: "lies in a private network",
	loopback: "is this machine, with everything that runs on it",
	forbidden: "is an address that nothing on the web needs, such as that of a cloud's metadata service",
};

/** A note for the user about where a URL leads, as the end of a sentence; undefined for public addresses. */
export function rangeNote(url: URL): string | undefined {
	return rangeNotes[literalRange(url) ?? "public"];
}
