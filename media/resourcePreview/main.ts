import type {
	PreviewHostApi,
	PreviewView,
	PreviewViewApi,
} from "../../src/features/resources/resourcePreviewProtocol.ts";
import { connectHost, vscodePort } from "../shared/vscodePort.ts";

const notice = document.createElement("p");
const said = document.createElement("span");
const reload = document.createElement("button");
const stage = document.createElement("div");
const frame = document.createElement("iframe");
notice.className = "app-notice";
said.role = "status";
reload.className = "link";
reload.textContent = "Reload";
reload.hidden = true;
notice.append(said, " ", reload);
stage.id = "stage";
// No script runs in it, so that only this page can use its origin. The page keeps the reading position.
frame.setAttribute("sandbox", "allow-same-origin");
frame.referrerPolicy = "no-referrer";
frame.title = document.title;
const main = document.createElement("main");
const head = document.createElement("div");
head.append(notice);
main.append(head, stage);
document.body.append(main);

const host = connectHost<PreviewHostApi, PreviewViewApi>(vscodePort(), { show });
reload.addEventListener("click", () => void host.call("reload"));

let shown: string | undefined;
/** Where the user reads, while another document is being loaded. */
let place: readonly [number, number] | undefined;

function show({ document: drawn, notice: about, canReload }: PreviewView): void {
	said.textContent = about;
	reload.hidden = !canReload;
	if (drawn === shown) return;
	const view = frame.contentWindow;
	place ??= view === null ? [0, 0] : [view.scrollX, view.scrollY];
	shown = drawn;
	frame.srcdoc = drawn;
	if (!frame.isConnected) stage.append(frame);
}

frame.addEventListener("load", () => {
	if (place !== undefined) frame.contentWindow?.scrollTo(...place);
	place = undefined;
});
void host.call("ready").then(show);
