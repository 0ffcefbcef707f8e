/** Stores bytes under random keys outside every served folder. Keys match /^[a-z0-9/-]+$/. */
export type FileStore = {
  put(key: string, bytes: Uint8Array, mediaType: string): Promise<void>;
  /** Returns null when the object does not exist. */
  get(key: string): Promise<Uint8Array | null>;
  remove(key: string): Promise<void>;
};
