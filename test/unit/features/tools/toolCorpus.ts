import type { Tool } from "../../../../src/servers/sessions/session.ts";

/** Tools as published servers of different kinds describe them: by server, each with name, description and arguments. */
export const corpus: Readonly<Record<string, readonly (readonly [name: string, description: string, args: string])[]>> =
	{
		github: [
			["create_issue", "Create a new issue in a GitHub repository", "owner repo title body labels"],
			["list_issues", "List issues in a GitHub repository with filtering options", "owner repo state labels"],
			["create_pull_request", "Create a new pull request in a GitHub repository", "owner repo title head base"],
			["merge_pull_request", "Merge a pull request", "owner repo pullNumber"],
			["search_code", "Search for code across GitHub repositories", "q page"],
			["get_file_contents", "Get the contents of a file or directory from a repository", "owner repo path ref"],
			["create_branch", "Create a new branch", "owner repo branch"],
		],
		filesystem: [
			["read_text_file", "Read the complete contents of a file as text, with different encodings", "path head tail"],
			["write_file", "Create a new file or completely overwrite an existing file with new content", "path content"],
			["list_directory", "Get a detailed listing of all files and directories in a path", "path"],
			["move_file", "Move or rename files and directories", "source destination"],
			["search_files", "Recursively search for files and directories matching a pattern", "path pattern"],
			["create_directory", "Create a new directory or ensure that a directory exists", "path"],
		],
		calendar: [
			["createEvent", "Adds an event to the calendar", "title start end attendees"],
			["findFreeSlots", "Finds times at which all attendees are free", "attendees duration"],
			["deleteEvent", "Removes an event", "id"],
		],
		slack: [
			["slack_post_message", "Post a new message to a Slack channel", "channel_id text"],
			["slack_list_channels", "List public channels in the workspace with pagination", "limit cursor"],
			["slack_get_users", "Get a list of all users in the workspace with their profile information", "cursor limit"],
		],
		browser: [
			["browser_navigate", "Navigate to a URL", "url"],
			["browser_take_screenshot", "Take a screenshot of the current page", "type filename fullPage"],
			["browser_click", "Perform click on a web page", "element ref button"],
			["browser_fill_form", "Fill multiple form fields", "fields"],
		],
		postgres: [
			["query", "Run a read-only SQL query", "sql"],
			["describe_table", "Shows the columns of a table", "schema table"],
		],
		weather: [
			["get_forecast", "Weather forecast for a location", "latitude longitude days"],
			["get_alerts", "Severe weather warnings for a state", "state"],
		],
		stripe: [
			["create_refund", "Refund a payment intent", "payment_intent amount"],
			["list_customers", "Fetch a list of customers from Stripe", "limit email"],
			["create_invoice", "Create an invoice for a customer", "customer days_until_due"],
		],
	};

/** The tools of one server of the corpus. */
export function corpusTools(server: string): readonly Tool[] {
	return (corpus[server] ?? []).map(([name, description, args]) => {
		const names = args.split(" ");
		const properties = Object.fromEntries(names.map((one) => [one, { type: "string" }]));
		return { name, description, inputSchema: { type: "object", properties, required: names.slice(0, 1) } };
	});
}

/** A model's search, and the intended tool. */
export const queries: readonly (readonly [query: string, tool: string])[] = [
	["open a bug report on GitHub", "github_create_issue"],
	["file an issue", "github_create_issue"],
	["merge PR pull request", "github_merge_pull_request"],
	["find source code across repos", "github_search_code"],
	["read a file from disk", "filesystem_read_text_file"],
	["rename file", "filesystem_move_file"],
	["make a new folder", "filesystem_create_directory"],
	["list the files in a folder", "filesystem_list_directory"],
	["schedule a meeting", "calendar_createEvent"],
	["when are all atendees free", "calendar_findFreeSlots"],
	["cancel calendar event", "calendar_deleteEvent"],
	["send a message to a channel", "slack_slack_post_message"],
	["who are the members of the workspace", "slack_slack_get_users"],
	["take a picture of the website", "browser_browser_take_screenshot"],
	["screnshot", "browser_browser_take_screenshot"],
	["go to url", "browser_browser_navigate"],
	["sql select from database", "postgres_query"],
	["table columns", "postgres_describe_table"],
	["will it rain tomorrow? weather forecast", "weather_get_forecast"],
	["give the customer their money back, refund", "stripe_create_refund"],
	["bill a customer", "stripe_create_invoice"],
	["FREE_SLOTS", "calendar_findFreeSlots"],
	["githubSearchCode", "github_search_code"],
	["fill in a form on a web page", "browser_browser_fill_form"],
];
