/** How many bytes a list shows: beyond this it would be larger than what an editor opens gladly. */
const dumpLimit = 1024 * 1024;

const rowLength = 16;

/** Bytes as text in rows of offset, hexadecimal digits and printable ASCII; the first megabyte, and how much is left out. */
export function hexDump(bytes: Uint8Array): Uint8Array {
	const shown = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, dumpLimit));
	const rows: string[] = [];
	for (let offset = 0; offset < shown.length; offset += rowLength) {
		const row = shown.subarray(offset, offset + rowLength);
		const digits = Array.from(row, (byte) => byte.toString(16).padStart(2, "0"));
		const columns = `${digits.slice(0, 8).join(" ")}  ${digits.slice(8).join(" ")}`.padEnd(rowLength * 3);
		const text = Array.from(row, (byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : ".")).join("");
		rows.push(`${offset.toString(16).padStart(8, "0")}  ${columns}  ${text}`);
	}
	if (bytes.length === 0) rows.push("(no bytes)");
	const left = bytes.length - shown.length;
	if (left > 0) rows.push(`… (${left.toLocaleString("en-US")} more bytes)`);
	return Buffer.from(`${rows.join("\n")}\n`);
}
