/**
 * The client under test: the product's own connection, as it is bundled, with a user who agrees to everything. The
 * conformance suite starts it with the URL of its server as the last argument and the scenario in the environment.
 */
import type { ElicitResult } from "@modelcontextprotocol/client";
import type { Authorization } from "../../src/protocol/authorization.ts";
import type { ConnectRequest } from "../../src/protocol/connection.ts";
import type { connect as connectSource } from "../../src/protocol/connection/connect.ts";
import { defaultConnectionLimits } from "../../src/protocol/limits.ts";
import { skillsExtension } from "../../src/protocol/skill.ts";
import { initialOf, readForm } from "../../src/features/elicitation/form.ts";
import { formContent } from "../../src/features/elicitation/validate.ts";
import type { ElicitationRequest } from "../../src/protocol/connection.ts";
import { HeadlessBrowser, MemoryCredentials } from "../servers/headlessBrowser.ts";
import { context, scenario } from "./context.ts";
import { play } from "./play.ts";
import { signInConfig } from "./signInConfig.ts";

// The bundle that ships, with the schema validator that ships.
const { connect } = (await import(new URL("../../dist/connect.js", import.meta.url).href)) as {
	readonly connect: typeof connectSource;
};

const url = process.argv.at(-1) ?? "";
/** The suite ends a client that takes too long; this is for the case that it does not. */
const signal = AbortSignal.timeout(150_000);
const connection = await connect(connectRequest());
try {
	await play(connection, scenario, context, { signal });
} finally {
	await connection.close();
}

function connectRequest(): ConnectRequest {
	const oauth = signInConfig(scenario, context);
	return {
		launch: { kind: "http", url, headers: {}, oauth },
		protocol: "auto",
		verdict: undefined,
		client: { name: "mcp-host", title: "MCP Host", version: "0.0.0" },
		// Its scenarios play a surface that shows skills, which the product does not have.
		...(scenario.startsWith("sep-2640-") ? { extensions: { [skillsExtension]: {} } } : {}),
		authorization: authorization(oauth),
		limits: defaultConnectionLimits,
		network: { environment: process.env },
		logLevel: () => "info",
		handshakeTimeoutMs: 120_000,
		signal,
		handlers: {
			listRoots: () => [],
			createMessage: () => Promise.reject(new Error("No scenario asks for a completion.")),
			elicit: (request) => Promise.resolve(accepted(request)),
			onListChanged() {},
			onResourceUpdated() {},
			onLog() {},
			onStderr() {},
			onTrouble: (message) => console.error(message),
			onClosed: (reason) => console.error(`The server ${reason}.`),
		},
	};
}

function authorization(config: Authorization["config"]): Authorization {
	return {
		server: "conformance",
		config,
		credentials: new MemoryCredentials(),
		// The suite knows this address; nothing listens there.
		browser: new HeadlessBrowser("http://localhost:3000/callback"),
		isInteractive: () => true,
		onDidChangeSignedIn() {},
		whileAsking: (ask, during) => ask(during),
	};
}

/** Consent to a server's question: a form is sent as it is first shown. */
function accepted(request: ElicitationRequest): ElicitResult {
	if (scenario === "sep-2322-client-request-state") return { action: "accept", content: { confirmed: true } };
	if (!("requestedSchema" in request)) return { action: "accept" };
	const properties = readForm(request.requestedSchema);
	return { action: "accept", content: formContent(properties, initialOf(properties)) };
}
