import { ApiError, problems } from '#shared/errors';
import { bladexFilesPath, files as calls, type FileReplyRow, fileProblems } from '#shared/files';
import { maxMegabytes, maxPartedMegabytes } from '#shared/kernel-parameters';
import type { Parameters } from '../../base/parameters.ts';
import { type Route, route, type Upload } from '../http/route.ts';
import { maxUploadBytes, rangeOf } from '../http/uploads.ts';
import { administers, type Principal } from '../principal/principal.ts';
import { megabyte, withByteLimit } from './byte-limit.ts';
import { readAll } from './content-type.ts';
import type { FilePlacement, Files, StoredFile } from './files.ts';
import { partBytes } from './object-store.ts';
import type { FileServices } from './start-files.ts';

const manual = { manualTransactions: true } as const;

/** Serves uploading, deleting and fetching files. Plugins create the links to files of their own rows themselves. */
export function fileRoutes(services: FileServices, parameters: Parameters): Route[] {
  const { files } = services;
  const saveUpload = async (name: string, content: Upload['content'], placement: FilePlacement) =>
    replyOf(files, await files.save(name, content, { ...placement, limit: await maxRequestBytes(parameters) }));
  return [
    route(
      calls.upload,
      ({ input, principal, upload }) => {
        const { name, content } = requireUpload(upload);
        return saveUpload(name, content, placementOf(principal, input.isPublic));
      },
      { ...manual, aliases: [`${bladexFilesPath}/put-file`, `${bladexFilesPath}/put-file-attach`] },
    ),
    route(
      calls.uploadByName,
      ({ input: { fileName, isPublic }, principal, upload }) => saveUpload(fileName, requireUpload(upload).content, placementOf(principal, isPublic)),
      {
        ...manual,
        aliases: [`${bladexFilesPath}/put-file-attach-by-name`],
      },
    ),
    route(
      calls.remove,
      async ({ input: { id, name, fileName, url }, principal }) => {
        const key = name ?? fileName ?? /[?&]key=([0-9a-f]{32})\b/.exec(url ?? '')?.[1];
        const file = id ? await files.find(principal.tenantId, id) : key ? await files.findKey(principal.tenantId, key) : undefined;
        if (!file || !mayRemove(principal, file)) throw new ApiError(problems.notFound);
        await files.remove(principal.tenantId, [file.id]);
      },
      { ...manual, aliases: [`${bladexFilesPath}/remove-file`] },
    ),
    route(
      calls.removeMany,
      async ({ input, principal }) => {
        const names = [...new Set(input.fileNames)];
        const found = await files.findKeys(principal.tenantId, names);
        if (found.length < names.length || !found.every((file) => mayRemove(principal, file))) throw new ApiError(problems.notFound);
        await files.remove(
          principal.tenantId,
          found.map(({ id }) => id),
        );
      },
      manual,
    ),
    route(calls.link, async ({ input, principal }) => {
      const file = await files.find(principal.tenantId, input.id);
      if (!file || file.ownerId !== principal.userId) throw new ApiError(problems.notFound);
      return { link: files.linkTo(file) };
    }),
    blobRoute(services),
    ...directRoutes(services, parameters),
    ...partRoutes(services, parameters),
  ];
}

function blobRoute({ files, thumbnails }: FileServices): Route {
  return route(
    calls.blob,
    async ({ input, origin }) => {
      const file = await files.resolveLink(input);
      const { name, type, size, isPublic } = file;
      const small = input.view === 'small' ? await thumbnails.of(file) : undefined;
      if (small) return { name: `${name}.webp`, isPublic, ...small };
      const part = rangeOf(origin.header('range'), size);
      return { name, type, size, isPublic, part, content: await files.open(file, part) };
    },
    manual,
  );
}

function directRoutes({ files, direct }: FileServices, parameters: Parameters): Route[] {
  return [
    route(
      calls.signature,
      async ({ input: { fileName, contentType = '', size, isPublic }, principal }) => {
        const limit = await maxRequestBytes(parameters);
        if (size !== undefined) assertWithinLimit(size, limit);
        const { file, url, fields, expires } = await direct.sign({ name: fileName, type: contentType, max: size ?? limit }, placementOf(principal, isPublic));
        return { id: file.id, uploadUrl: url, method: 'POST', key: file.key, fields: { ...fields }, link: files.linkTo(file), expire: expires };
      },
      { ...manual, writes: true },
    ),
    route(calls.direct, async ({ input, upload }) => replyOf(files, await direct.receive(input, requireUpload(upload).content)), manual),
  ];
}

function partRoutes({ files, parted }: FileServices, parameters: Parameters): Route[] {
  return [
    route(
      calls.beginParts,
      async ({ input: { fileName, size, lastModified, isPublic }, principal }) => {
        assertWithinLimit(size, (await parameters.integer(maxPartedMegabytes)) * megabyte);
        return parted.begin({ name: fileName, size, modified: lastModified }, placementOf(principal, isPublic));
      },
      manual,
    ),
    route(
      calls.sendPart,
      async ({ input, principal: { tenantId, userId }, upload }) => {
        const content = await readAll(withByteLimit(requireUpload(upload).content, partBytes).content);
        return parted.put({ tenantId, userId, ...input }, content);
      },
      manual,
    ),
    route(calls.parts, ({ input, principal: { tenantId, userId } }) => parted.progress(tenantId, userId, input.id)),
    route(calls.completeParts, async ({ input, principal: { tenantId, userId } }) => replyOf(files, await parted.complete(tenantId, userId, input.id)), manual),
  ];
}

/** Maximum number of bytes of one request. */
const maxRequestBytes = async (parameters: Parameters) => Math.min((await parameters.integer(maxMegabytes)) * megabyte, maxUploadBytes);

function assertWithinLimit(size: number, limit: number): void {
  if (size > limit) throw new ApiError(fileProblems.tooLarge, { megabytes: Math.floor(limit / megabyte) });
}

function requireUpload(upload: Upload | undefined): Upload {
  if (!upload) throw new ApiError(problems.missingParameter, { name: 'file' });
  return upload;
}

const placementOf = ({ tenantId, userId }: Principal, isPublic = false) => ({ tenantId, userId, purpose: 'upload', isPublic });

const mayRemove = (principal: Principal, { ownerId }: StoredFile) => ownerId === principal.userId || administers(principal);

/** Builds the reply about a file for its uploader. */
function replyOf(files: Files, file: StoredFile): FileReplyRow {
  const { id, key, name, size, type } = file;
  const ext = /\.(\w{1,16})$/.exec(name)?.[1] ?? '';
  return { id, attachId: id, name: key, originalName: name, link: files.linkTo(file), domain: '', size, type, ext };
}
