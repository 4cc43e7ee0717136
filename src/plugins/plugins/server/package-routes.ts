import { ApiError, maxPackageBytes, PackageError, type PluginPackages, type Principal, problem, problems, route } from '#server';
import { packageProblems, packages } from '../package-contract.ts';
import { isPlatformAdministrator } from './scopes.ts';

/** Serves the packages of plugins; everything but the list needs an administrator of the platform. */
export function packageRoutes(store: PluginPackages) {
  /** Runs work for an administrator of the platform only; a `PackageError` becomes a refusal with its text. */
  const asAdministrator = async <Result>(principal: Principal, work: () => Promise<Result>): Promise<Result> => {
    if (!isPlatformAdministrator(principal)) throw new ApiError(packageProblems.platformOnly);
    return work().catch((error) => {
      throw error instanceof PackageError ? new ApiError(problem(409, error.text), {}, { cause: error }) : error;
    });
  };
  // A change takes seconds, in which no transaction may be open.
  const options = { manualTransactions: true } as const;
  return [
    route(packages.list, async () => ({ accepted: store.accepted, packages: [...(await store.list())] }), options),
    route(
      packages.upload,
      ({ principal, upload }) =>
        asAdministrator(principal, async () => {
          if (!upload) throw new ApiError(problems.missingParameter, { name: 'file' });
          return store.upload(await readPackageBytes(upload.content));
        }),
      options,
    ),
    route(packages.install, ({ input, principal }) => asAdministrator(principal, () => store.install(input.digest)), options),
    route(packages.revert, ({ input, principal }) => asAdministrator(principal, () => store.revert(input.id)), options),
    route(packages.data, ({ input, principal }) => asAdministrator(principal, () => store.dataOf(input.id)), options),
    route(packages.remove, ({ input, principal }) => asAdministrator(principal, () => store.remove(input.id, input.withData === true)), options),
  ];
}

/** Reads an upload; throws for one that is larger than any package. */
async function readPackageBytes(content: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of content) {
    size += chunk.length;
    if (size > maxPackageBytes.compressed) throw new ApiError(packageProblems.tooLarge, { megabytes: maxPackageBytes.compressed / 2 ** 20 });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
