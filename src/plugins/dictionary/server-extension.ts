/** Port through which other plugins read and copy dictionaries; without the dictionary plugin there is none. */
export abstract class Dictionaries {
  /** Lists the codes of the system dictionaries; runs in the current work. */
  abstract codes(): Promise<Set<string>>;
  /** Copies the platform's business dictionaries to a new tenant, which can change them from then on. */
  abstract copyTo(tenantId: string): Promise<void>;
}
