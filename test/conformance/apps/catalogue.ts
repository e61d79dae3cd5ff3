/** A requirement for hosts, and how it is checked. */
export interface Requirement {
	/** Its name in the catalogue of the extension's own conformance server, where it has one. */
	readonly id: string;
	readonly clause: "MUST" | "MUST NOT" | "SHOULD" | "SHOULD NOT" | "MAY";
	readonly text: string;
	/** Why it is not met, for one that is optional or is for other hosts. */
	readonly left?: string;
}

const forWebPages =
	"For hosts that are web pages. Here the editor makes the frame of another origin, and says so in messages of its own, which neither we nor the app see.";

/**
 * The requirements of MCP Apps 2026-01-26 for hosts: first the 45 requirements of the catalogue in
 * https://github.com/modelcontextprotocol/ext-apps/pull/726, then the other ones of the revision.
 */
export const catalogue: readonly Requirement[] = [
	{ id: "security/iframe-sandboxed", clause: "MUST", text: "An app is in a sandboxed frame." },
	{ id: "security/sandbox-proxy-required", clause: "MUST", text: "A page of another origin is between host and app." },
	{ id: "security/sandbox-distinct-origin", clause: "MUST", text: "The app reads nothing of the page around it." },
	{
		id: "security/sandbox-permissions",
		clause: "MUST",
		text: "The proxy has scripts and an origin.",
		left: forWebPages,
	},
	{ id: "security/sandbox-proxy-ready", clause: "MUST", text: "The proxy says that it is ready.", left: forWebPages },
	{ id: "security/sandbox-resource-ready", clause: "MUST", text: "The proxy is sent the page.", left: forWebPages },
	{ id: "security/sandbox-csp-enforced", clause: "MUST", text: "The policy has what was declared and nothing more." },
	{ id: "security/sandbox-message-forwarding", clause: "MUST", text: "Messages pass in both directions." },
	{ id: "security/sandbox-no-self-requests", clause: "SHOULD NOT", text: "Only the host asks the app anything." },
	{ id: "security/csp-construct-from-domains", clause: "MUST", text: "The policy is made of the declared domains." },
	{ id: "security/csp-default-deny", clause: "MUST", text: "Without declared domains nothing is reached." },
	{ id: "security/csp-allow-declared", clause: "MUST", text: "A declared domain is reached, once it was allowed." },
	{ id: "security/csp-no-loosening", clause: "MUST NOT", text: "A domain that was not declared is not reached." },
	{ id: "security/permissions-allow-attr", clause: "MAY", text: "The frame has the permissions that are granted." },
	{ id: "security/csp-audit-log", clause: "SHOULD", text: "The policy can be looked at." },
	{
		id: "security/external-domain-warning",
		clause: "SHOULD",
		text: "The user is told which domains an app reaches.",
	},
	{ id: "security/global-allowlist", clause: "MAY", text: "A domain that is denied to all apps is not reached." },
	{ id: "lifecycle/initialize-capabilities", clause: "MUST", text: "The app is told what its host does." },
	{ id: "lifecycle/tool-input", clause: "MUST", text: "The app gets the arguments of its call." },
	{
		id: "lifecycle/tool-input-partial",
		clause: "MAY",
		text: "The app gets arguments while a model writes them.",
	},
	{ id: "lifecycle/tool-input-partial-stop", clause: "MUST", text: "No such part comes after the whole." },
	{ id: "lifecycle/tool-result", clause: "MUST", text: "The app gets the result of its call." },
	{
		id: "lifecycle/tool-cancelled",
		clause: "MUST",
		text: "The app is told that its call was cancelled.",
	},
	{ id: "lifecycle/teardown-notify", clause: "MUST", text: "The app is told that it goes." },
	{ id: "lifecycle/teardown-await", clause: "SHOULD", text: "The app's answer is waited for." },
	{ id: "tools/proxy-call", clause: "MAY", text: "The app calls a tool of its server." },
	{ id: "visibility/app-tool-hidden", clause: "MUST NOT", text: "Models are offered no tool that is for apps." },
	{ id: "visibility/app-tool-call-guard", clause: "MUST", text: "The app calls no tool that is for models." },
	{ id: "resources/read-referenced", clause: "MUST", text: "The page is read from the server." },
	{
		id: "resources/prefetch",
		clause: "MAY",
		text: "The page is read beforehand.",
		left: "It is read at each load, so that a page that changed is noticed; an app that opens by itself is read while its call runs.",
	},
	{ id: "context/initialize-hostcontext", clause: "SHOULD", text: "The app is told where it is shown." },
	{ id: "context/context-changed", clause: "MAY", text: "The app is told of another theme." },
	{ id: "dimensions/listen-size-changed", clause: "MUST", text: "A fixed size is said to be fixed." },
	{ id: "display/no-undeclared-mode", clause: "MUST NOT", text: "The app is in no mode that it did not declare." },
	{
		id: "display/return-resulting-mode",
		clause: "MUST",
		text: "A request for a mode is answered with the one that results.",
	},
	{
		id: "display/unavailable-returns-current",
		clause: "SHOULD",
		text: "A mode that there is not leaves the present one.",
	},
	{ id: "display/decline-undeclared", clause: "MAY", text: "A mode that the app did not declare is declined." },
	{ id: "links/open-external", clause: "SHOULD", text: "A link is opened in the browser." },
	{ id: "messages/add-to-conversation", clause: "SHOULD", text: "A message reaches the chat." },
	{ id: "messages/consent", clause: "MAY", text: "The user is asked before." },
	{
		id: "model-context/provide-future-turns",
		clause: "SHOULD",
		text: "Context goes to the model with the next message.",
	},
	{ id: "model-context/last-wins", clause: "SHOULD", text: "Only the last one does." },
	{ id: "model-context/overwrite-defer-dedupe-display", clause: "MAY", text: "The user sees it." },
	{ id: "capabilities/mimetypes-required", clause: "MUST", text: "The server is told which type of page is shown." },
	{ id: "capabilities/server-passthrough", clause: "MAY", text: "The app lists the resources of its server." },

	{ id: "lifecycle/version", clause: "MUST", text: "The host answers with the revision." },
	{
		id: "lifecycle/nothing-before-initialized",
		clause: "MUST NOT",
		text: "Nothing comes before the app is initialized.",
	},
	{ id: "lifecycle/input-before-result", clause: "MUST", text: "The arguments come before the result." },
	{ id: "lifecycle/input-once", clause: "MUST", text: "The arguments come once." },
	{ id: "lifecycle/ping", clause: "MUST", text: "A ping is answered." },
	{ id: "lifecycle/unknown-method", clause: "MUST", text: "What the host does not know it says." },
	{ id: "lifecycle/malformed", clause: "MUST", text: "What is no message does no harm." },
	{ id: "tools/arguments-checked", clause: "MUST", text: "Arguments that do not fit the schema are refused." },
	{ id: "tools/other-server", clause: "MUST NOT", text: "The app calls no tool of another server." },
	{ id: "tools/asked", clause: "MAY", text: "The user is asked about a call." },
	{ id: "resources/read", clause: "MAY", text: "The app reads a resource of its server, bytes as well." },
	{ id: "resources/blob", clause: "MUST", text: "A page in base64 is shown." },
	{ id: "resources/mime", clause: "MUST", text: "A page of another type is not." },
	{ id: "resources/flat-meta", clause: "SHOULD", text: "The deprecated flat form names a page as well." },
	{ id: "links/only-web", clause: "MAY", text: "Commands and files are no links." },
	{ id: "context/theming", clause: "MAY", text: "The app gets style variables by their names." },
	{ id: "context/place", clause: "MAY", text: "Locale, time zone, platform and dimensions are said." },
	{ id: "context/tool", clause: "MAY", text: "The tool whose result is shown is said." },
	{ id: "capabilities/sandbox", clause: "MUST", text: "The granted policy is said as it is." },
	{ id: "security/no-way-around", clause: "MUST NOT", text: "No frame, object, base or navigation leads out." },
];
