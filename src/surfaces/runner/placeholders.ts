import { isSecret } from "../../base/secrets/judge.ts";

/** Texts that only a machine makes: keys and tokens under whatever name. */
const machineMade = /^(?=.*\d)(?=.*[A-Za-z])[\w~+=.-]{20,}$/;
/** `Name: value`, as headers are written, by itself or after the option for one. */
const header = /^(-H|--?[\w-]*[Hh]eader=)?([A-Za-z][A-Za-z0-9-]*)\s*:(\s*)\S/;
const secretHeader = /^(?:proxy-)?authorization$|^cookie$|api-?key|token|secret/i;
/** Values that keep no secret. */
const harmless = /^(?:\d{1,5}|true|false)?$/i;

/** What stands where a secret, or what only the configuration knows, has to be put in. */
export function placeholder(name: string): string {
	return `<${name.replace(/[^\w:. -]/g, "") || "secret"}>`;
}

/** The value of a header or a variable of the environment: it is never copied unless it can be no secret. */
export function environmentValue(name: string, value: string): string {
	return harmless.test(value) && !isSecret(name, undefined, "entry") ? value : placeholder(name);
}

/** The arguments of a command without what looks like a secret; variables of the configuration stand as placeholders. */
export function withoutSecrets(args: readonly string[]): readonly string[] {
	return args.map((arg, index) => {
		const before = args[index - 1] ?? "";
		const flag = before.startsWith("-") ? before.replace(/^-+/, "") : "";
		if (flag !== "" && !flag.includes("=") && !arg.startsWith("-") && isSecret(flag, undefined, "entry"))
			return placeholder(flag);
		return withoutSecret(arg);
	});
}

/** An address without user, password, and what in its path or query looks like a secret. */
export function urlWithoutSecrets(text: string): string {
	if (!URL.canParse(text)) return withVariables(text);
	const [address = "", ...fragment] = text.split("#");
	const [path = "", ...query] = address.split("?");
	const host = path.replace(/^([A-Za-z][\w+.-]*:\/\/)[^/]*@/, "$1");
	const segments = host.split("/").map((segment, index) => {
		return index > 2 && machineMade.test(segment) ? placeholder("secret") : segment;
	});
	const pairs = query.join("?").split("&");
	const shown = pairs.map((pair) => {
		const [name = "", ...value] = pair.split("=");
		return value.length > 0 && (isSecret(name, value.join("="), "entry") || machineMade.test(value.join("=")))
			? `${name}=${placeholder(name)}`
			: pair;
	});
	const parts = [segments.join("/"), query.length === 0 ? "" : `?${shown.join("&")}`];
	return withVariables(parts.join("") + (fragment.length === 0 ? "" : `#${fragment.join("#")}`));
}

function withoutSecret(arg: string): string {
	const [, option = "", name, blank = ""] = header.exec(arg) ?? [];
	// Without a blank it may be a path or an address.
	if (name !== undefined && (option !== "" || blank !== "" || secretHeader.test(name))) {
		return `${option}${name}: ${placeholder(name)}`;
	}
	if (/^[a-z][\w+.-]*:\/\//i.test(arg)) return urlWithoutSecrets(arg);
	const [key = "", ...parts] = arg.split("=");
	const value = parts.length === 0 ? arg : parts.join("=");
	const isHidden = machineMade.test(value) || isSecret("", value, "entry");
	if (parts.length === 0) return isHidden ? placeholder("secret") : withVariables(arg);
	return isHidden || isSecret(key, arg, "entry") ? `${key}=${placeholder(key.replace(/^-+/, ""))}` : withVariables(arg);
}

/** `${input:key}` as `<input:key>`: what it stands for is known when the server starts, and may be a secret. */
export function withVariables(text: string): string {
	return text.replace(/\$\{([^{}]*)\}/g, (_, variable: string) => placeholder(variable));
}
