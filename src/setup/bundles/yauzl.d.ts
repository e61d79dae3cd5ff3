/** The used parts of yauzl, which has no types. */
declare module "yauzl" {
	import type { Readable } from "node:stream";

	export interface Entry {
		readonly generalPurposeBitFlag: number;
		readonly fileNameRaw: Buffer;
		readonly extraFields: readonly unknown[];
		readonly compressedSize: number;
		readonly uncompressedSize: number;
		readonly crc32: number;
		readonly externalFileAttributes: number;
		isEncrypted(): boolean;
		canDecodeFileData(): boolean;
	}

	export interface ZipFile {
		readonly entryCount: number;
		eachEntry(): AsyncIterable<Entry>;
		openReadStreamPromise(entry: Entry): Promise<Readable>;
	}

	const yauzl: {
		fromBufferPromise(buffer: Buffer, options: { readonly decodeStrings: false }): Promise<ZipFile>;
		getFileNameLowLevel(flags: number, name: Buffer, extra: readonly unknown[], isStrict: boolean): string;
	};
	export default yauzl;
}
