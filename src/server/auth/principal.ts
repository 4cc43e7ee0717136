/** Who makes a request, as the verified token and the database say; the browser adds nothing to it. */
export interface Principal {
  readonly sessionId: string;
  readonly userId: string;
  readonly tenantId: string;
  readonly account: string;
  readonly deptId: string | undefined;
  readonly roleIds: readonly string[];
  /** Role aliases; `administrator` is the platform's, `admin` a tenant's. */
  readonly roles: readonly string[];
  /** Pages and buttons granted, in one namespace. */
  readonly codes: ReadonlySet<string>;
  /** True: only the password may be changed. */
  readonly passwordExpired: boolean;
}
