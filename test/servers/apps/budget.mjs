// The page of an app as its authors write them, on the extension's own library: shows the budget of its call's result, spends
// by a tool of its server, and shows in its colours which theme the editor has.
import { App } from "@modelcontextprotocol/ext-apps";

const modes = { availableDisplayModes: ["inline", "fullscreen"] };
const app = new App({ name: "Budget", version: "1.0.0" }, modes, { autoResize: true });
const element = (id) => document.getElementById(id);

function show({ structuredContent }) {
	const { spent, total } = structuredContent;
	element("left").textContent = `${total - spent} of ${total} left`;
	element("bar").style.width = `${(100 * (total - spent)) / total}%`;
}

function dress({ theme, styles }) {
	if (theme !== undefined) document.documentElement.dataset.theme = theme;
	for (const [name, value] of Object.entries(styles?.variables ?? {}))
		document.documentElement.style.setProperty(name, value);
}

app.addEventListener("toolinputpartial", ({ arguments: args }) => {
	element("input").textContent = `Budget of ${String(args.year)}, as far as it is written`;
});
app.addEventListener("toolinput", ({ arguments: args }) => {
	element("input").textContent = `Budget of ${String(args.year)}`;
});
app.addEventListener("toolresult", show);
app.addEventListener("hostcontextchanged", dress);
app.onteardown = async () => {
	await app.sendLog({ level: "info", data: "torn down" });
	return {};
};
async function spend() {
	try {
		const result = await app.callServerTool({ name: "spend", arguments: { amount: 100 } });
		show(result);
		await app.updateModelContext({ content: result.content, structuredContent: result.structuredContent });
	} catch (error) {
		element("left").textContent = error.message;
	}
}
element("spend").addEventListener("click", () => void spend());
element("link").addEventListener(
	"click",
	() => void app.openLink({ url: "https://budget.example/help" }).catch(() => undefined),
);
element("say").addEventListener(
	"click",
	() =>
		void app.sendMessage({ role: "user", content: [{ type: "text", text: "Is this much?" }] }).catch(() => undefined),
);
async function save() {
	const resource = { uri: "file:///budget.csv", mimeType: "text/csv", text: "left,total\n750,1000\n" };
	const { isError } = await app.downloadFile({ contents: [{ type: "resource", resource }] });
	element("done").textContent = isError ? "It was not saved." : "It was saved.";
}
element("save").addEventListener("click", () => void save());
element("sum").addEventListener("click", () => {
	const messages = [{ role: "user", content: { type: "text", text: "Sum up the budget." } }];
	const say = (words) => (element("done").textContent = words);
	void app.createSamplingMessage({ messages, maxTokens: 100 }).then(
		({ content }) => say(content.text),
		(error) => say(error.message),
	);
});
element("close").addEventListener("click", () => void app.requestTeardown());
element("note").value = localStorage.getItem("note") ?? "";
element("note").addEventListener("input", ({ target }) => localStorage.setItem("note", target.value));
await app.connect();
const context = app.getHostContext() ?? {};
dress(context);
const other = context.displayMode === "inline" ? "fullscreen" : "inline";
element("move").textContent = other === "inline" ? "Smaller" : "Larger";
element("move").addEventListener("click", () => void app.requestDisplayMode({ mode: other }));
