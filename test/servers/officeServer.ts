/**
 * Typical servers at work, for pictures: `node officeServer.ts repository|database [--log path]`. Their answers are
 * fixed, so that a picture shows the same on every day.
 */
import { Server, type CompleteResult, type GetPromptResult } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { recorderFromProcess, recordStdio } from "./received.ts";

const text = (description: string): object => ({ type: "string", description });

const branches = ["fix/refund-rounding", "feature/gift-cards", "main"];

const schema = `create table orders (
    id         bigint primary key,
    customer   text not null references customers (email),
    placed_at  timestamptz not null default now(),
    total      numeric(10, 2) not null check (total >= 0),
    status     text not null check (status in ('open', 'paid', 'sent', 'returned'))
);

create index orders_by_customer on orders (customer, placed_at desc);
`;

const orders = [
	{ id: 10482, customer: "ada@example.com", placed: "2026-06-02", total: 129.9, status: "sent" },
	{ id: 10479, customer: "grace@example.com", placed: "2026-06-02", total: 48.5, status: "paid" },
	{ id: 10475, customer: "alan@example.com", placed: "2026-06-01", total: 310, status: "open" },
	{ id: 10468, customer: "edsger@example.com", placed: "2026-05-31", total: 75.25, status: "returned" },
	{ id: 10461, customer: "barbara@example.com", placed: "2026-05-30", total: 22.4, status: "sent" },
];

const change = `--- a/src/refunds.ts
+++ b/src/refunds.ts
@@ -14,3 +14,3 @@ export function refund(order: Order, items: readonly Item[]): Money {
 	const paid = sum(items.map(({ price }) => price));
-	return Math.round(paid * share * 100) / 100;
+	return toCents(paid).times(share).roundHalfEven();
 }
`;

const readOnly = { readOnlyHint: true, openWorldHint: false };

const kinds = {
	repository: {
		tools: [
			tool("search_code", "Search Code", "Finds lines in the files of the repository.", {
				query: text("What to find"),
			}),
			tool("list_commits", "List Commits", "Lists the last commits of a branch.", { branch: text("A branch") }),
			{
				...tool("merge", "Merge Pull Request", "Merges a pull request into main.", { number: { type: "integer" } }),
				annotations: { destructiveHint: true },
			},
		],
		resources: [
			{ uri: "repo://shop/README.md", name: "README.md", mimeType: "text/markdown" },
			{ uri: "repo://shop/CODEOWNERS", name: "CODEOWNERS", mimeType: "text/plain" },
		],
		texts: { "repo://shop/README.md": "# Shop\n\nOrders, refunds and gift cards.\n" } as Record<string, string>,
	},
	database: {
		tools: [
			{
				...tool("query", "Run a Query", "Runs one read-only statement of SQL and gives its rows.", {
					sql: text("One statement that only reads"),
				}),
				outputSchema: { type: "object", properties: { rows: { type: "array" } }, required: ["rows"] },
			},
			tool("explain", "Explain a Query", "Shows how the database would run a statement.", { sql: text("A statement") }),
		],
		resources: ["customers", "orders", "refunds"].map((table) => ({
			uri: `db://shop/tables/${table}.sql`,
			name: `${table}.sql`,
			title: `Table ${table}`,
			mimeType: "application/sql",
		})),
		texts: { "db://shop/tables/orders.sql": schema } as Record<string, string>,
	},
};

function tool(name: string, title: string, description: string, properties: object) {
	const inputSchema = { type: "object" as const, properties, required: Object.keys(properties) };
	return { name, title, description, inputSchema, annotations: readOnly };
}

function office(kind: keyof typeof kinds): Server {
	const { tools, resources, texts } = kinds[kind];
	const isRepository = kind === "repository";
	const server = new Server(
		{ name: kind, version: "2.1.0" },
		{ capabilities: { tools: {}, resources: {}, ...(isRepository && { prompts: {}, completions: {} }) } },
	);
	server.setRequestHandler("tools/list", () => ({ tools: tools as never }));
	server.setRequestHandler("tools/call", () => ({
		content: [{ type: "text", text: `${orders.length} rows in 4 ms` }],
		structuredContent: { rows: orders },
	}));
	server.setRequestHandler("resources/list", () => ({ resources: [...resources] }));
	server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: [] }));
	server.setRequestHandler("resources/read", ({ params: { uri } }) => ({
		contents: [{ uri, mimeType: "text/plain", text: texts[uri] ?? "" }],
	}));
	if (!isRepository) return server;
	server.setRequestHandler("prompts/list", () => ({
		prompts: [
			{
				name: "review",
				title: "Review a Change",
				description: "Has the model review the change of a branch.",
				arguments: [
					{ name: "branch", description: "The branch to review", required: true },
					{ name: "focus", description: "What to look at above all" },
				],
			},
		],
	}));
	server.setRequestHandler("prompts/get", ({ params }) => review(params.arguments ?? {}));
	server.setRequestHandler("completion/complete", ({ params: { argument } }): CompleteResult => {
		const values = argument.name === "branch" ? branches : ["correctness", "security", "tests"];
		return { completion: { values: values.filter((value) => value.startsWith(argument.value)) } };
	});
	return server;
}

function review({ branch = "", focus = "correctness" }: Readonly<Record<string, string>>): GetPromptResult {
	const said = (role: "user" | "assistant", words: string) => ({
		role,
		content: { type: "text" as const, text: words },
	});
	return {
		messages: [
			said("user", `Review the change of ${branch} for ${focus}. Name the line of each finding.`),
			said("assistant", "I will go through the change file by file. Please show me the difference to main."),
			said("user", change),
		],
	};
}

recordStdio(recorderFromProcess());
const [kind] = process.argv.slice(2);
serveStdio(() => office(kind === "database" ? "database" : "repository"));
