/** Port through which other plugins read and copy dictionaries; absent without the dictionary plugin. */
export abstract class Dictionaries {
  /** Lists the codes of the system dictionaries. */
  abstract codes(): Promise<Set<string>>;
  /** Copies the platform's business dictionaries to a new tenant, which can change them from then on. */
  abstract copyTo(tenantId: string): Promise<void>;
}
