import { homedir } from "node:os";
import type { ServerConfig } from "../definitions/config.ts";
import { EntryTexts } from "../definitions/entryTexts.ts";
import { shownSecret } from "../approval/keptApproval.ts";

type StdioConfig = Extract<ServerConfig, { kind: "stdio" }>;

/** A secret of a header as an argument, such as `Authorization:${env:TOKEN}`. */
const headerArgument = /^([A-Za-z][\w-]{0,60}):\s?\$\{env:([^{}:]+)\}$/;
/** What can be nothing but a token: one that holds code, or the name of a package or a file, would not be in a header. */
const token = /^(?:(?:Bearer|Basic|Token) )?[\w.+/=~-]+$/;

/**
 * What a local server is run with: the values of its own `env` and the home folder in place of their variables, since they
 * decide what runs. What is around the entry stays as it is written.
 */
export function launchWords(config: StdioConfig): Pick<StdioConfig, "command" | "args" | "cwd" | "envFile"> {
	const { command, args, cwd, envFile, env } = config;
	const texts = new EntryTexts(env, (expression) => (expression === "userHome" ? homedir() : undefined));
	return {
		command: texts.text(command),
		args: args.map((text) => texts.text(text)),
		...(cwd === undefined ? {} : { cwd: texts.text(cwd) }),
		...(envFile === undefined ? {} : { envFile: texts.text(envFile) }),
	};
}

/** How an argument is shown: as it will be, but for the token of a header, which `env` does not show either. */
export function shownArgument({ args, env }: StdioConfig, index: number, launched: string): string {
	const [, header = "", name = ""] = headerArgument.exec(args[index] ?? "") ?? [];
	const value = Object.hasOwn(env, name) ? env[name] : undefined;
	const isToken =
		value !== undefined && /^(?:authorization|.*(?:key|token|cookie))$/i.test(header) && token.test(value);
	return isToken ? `${header}:${shownSecret(value)}` : launched;
}
