<?php
declare(strict_types=1);

/**
 * A client of the Tradepost API in one file, for PHP 8 with ext-curl and ext-json.
 *
 *     require 'Tradepost.php';
 *     $api = new Tradepost('https://marketplace.example', getenv('TOKEN'));
 *     $item = $api->stock->create(['reference' => 'VAN-1', 'title' => 'Ford Transit']);
 *     $file = $api->upload('van.jpg');
 *     $api->stock->change($item['id'], ['images' => [['uploadId' => $file['id']]]]);
 *     foreach ($api->stock->each(['status' => 'PUBLISHED']) as $item) echo $item['title'], "\n";
 *     $program = $api->organisation()->addIntegration('Stock feed');
 *     $token = $api->organisation()->makeToken($program['id'], 'First', ['stock:write', 'uploads:write'])['token'];
 *
 * A refused request is a TradepostError, and so is an answer that shows what the public sees because the token cannot be used. 429 waits
 * for Retry-After; 500, 502, 503, 504 and broken connections are tried again with a growing pause, where that cannot do anything twice. Methods return `data` of the answer as arrays.
 */
final class Tradepost
{
    private const TRANSIENT = [0, 500, 502, 503, 504];
    private const TYPES = ['jpg' => 'image/jpeg', 'jpeg' => 'image/jpeg', 'png' => 'image/png', 'webp' => 'image/webp', 'pdf' => 'application/pdf'];

    public readonly TradepostResource $jobs, $stock, $enquiries, $events, $posts, $uploads, $webhooks;
    private ?CurlHandle $connection = null;
    private ?string $expiresAt = null;

    /**
     * @param string $base  the address of the service, such as https://marketplace.example
     * @param string|null $token  64 hexadecimal characters; null reads what is public
     * @param array{retries?: int, longestWait?: int, timeout?: int, caFile?: string, sleep?: callable(float): void} $options
     *     retries: how often a request is tried again (4); longestWait: longer pauses, in seconds, are an error (120); timeout: of one
     *     attempt, in seconds (60); caFile: certificates to trust instead of the system's; sleep: what waits
     */
    public function __construct(private string $base, private ?string $token = null, private array $options = [])
    {
        $this->base = rtrim($base, '/');
        $this->options += ['retries' => 4, 'longestWait' => 120, 'timeout' => 60, 'caFile' => null,
            'sleep' => static fn (float $seconds) => usleep((int) ($seconds * 1e6))];
        foreach (['jobs', 'stock', 'enquiries', 'events', 'posts', 'uploads', 'webhooks'] as $name) $this->$name = new TradepostResource($this, $name);
    }

    /** A client with a new token. $code is that of the second factor, $scopes what the token may do; null is all. */
    public static function signIn(string $base, string $email, string $password, ?string $code = null, ?array $scopes = null, array $options = []): self
    {
        $body = array_filter(['email' => $email, 'password' => $password, 'code' => $code, 'scopes' => $scopes], static fn ($each) => $each !== null);
        $answer = (new self($base, null, $options))->request('POST', '/api/v1/auth', body: $body);
        return new self($base, $answer->data['token'], $options);
    }

    /** The token, to be kept and used again: it works for 90 days. */
    public function token(): ?string
    {
        return $this->token;
    }

    /** When the token ends, as the last answer said: null while that is more than 14 days away. Then it is time for rotateToken(). */
    public function tokenExpiresAt(): ?string
    {
        return $this->expiresAt;
    }

    /** Takes a new token in place of this one, and returns it, to be kept. The old one works for another 24 hours, or $overlapHours. */
    public function rotateToken(?int $overlapHours = null): string
    {
        $body = $overlapHours === null ? [] : ['overlapHours' => $overlapHours];
        // The key says that it may be sent again: what nobody has used ends then.
        $answer = $this->request('POST', '/api/v1/me/tokens/rotate', body: $body, headers: ['Idempotency-Key' => bin2hex(random_bytes(16))]);
        $this->expiresAt = null;
        return $this->token = $answer->data['token'];
    }

    /** Revokes the token. */
    public function signOut(): void
    {
        $this->request('DELETE', '/api/v1/auth');
        $this->token = null;
    }

    /** The user, their organisations and the token. */
    public function me(): array
    {
        return $this->request('GET', '/api/v1/me')->data;
    }

    /** The user's active tokens, without their values, and how many there may be: {tokens, limit}. */
    public function tokens(): array
    {
        return $this->request('GET', '/api/v1/me/tokens')->data;
    }

    /** Revokes a token of the user. */
    public function revokeToken(string $id): void
    {
        $this->request('DELETE', '/api/v1/me/tokens/' . rawurlencode($id));
    }

    /** The people, programs and webhooks of an organisation; of the only one of the user when null. */
    public function organisation(?string $organisationId = null): TradepostOrganisation
    {
        return new TradepostOrganisation($this, $organisationId);
    }

    /** An organisation's account; the only one of the user when null. */
    public function account(?string $organisationId = null): array
    {
        return $this->request('GET', '/api/v1/accounts', ['organisationId' => $organisationId])->data;
    }

    /** Changes an organisation's account by a merge patch. */
    public function changeAccount(array $changes, ?string $organisationId = null): array
    {
        return $this->request('PATCH', '/api/v1/accounts', ['organisationId' => $organisationId], $changes)->data;
    }

    /** Registers a device for notifications; $platform is IOS, ANDROID or WEB. */
    public function registerDevice(string $token, string $platform, ?string $name = null): void
    {
        $this->request('POST', '/api/v1/notification_tokens', body: ['token' => $token, 'platform' => $platform, 'deviceName' => $name]);
    }

    /** The user's devices, without their tokens. */
    public function devices(): array
    {
        return $this->request('GET', '/api/v1/notification_tokens')->data['notificationTokens'];
    }

    public function removeDevice(string $id): void
    {
        $this->request('DELETE', '/api/v1/notification_tokens/' . rawurlencode($id));
    }

    /** The key with which a browser subscribes to notifications; null when the service sends it none. */
    public function notificationKey(): ?string
    {
        return $this->request('GET', '/api/v1/notification_tokens/key')->data['publicKey'];
    }

    /** Uploads a file, of up to 50 MiB: announces it, then sends its bytes from the disk. Returns the upload, READY. */
    public function upload(string $path, ?string $contentType = null, ?string $organisationId = null): array
    {
        $contentType ??= self::TYPES[strtolower(pathinfo($path, PATHINFO_EXTENSION))] ?? throw new InvalidArgumentException("the content type of $path");
        $size = is_file($path) ? filesize($path) : throw new InvalidArgumentException("no file $path");
        $new = ['filename' => basename($path), 'contentType' => $contentType, 'size' => $size, 'sha256' => hash_file('sha256', $path)];
        if ($organisationId !== null) $new['organisationId'] = $organisationId;
        $upload = $this->uploads->create($new);
        return $this->request('PUT', $upload['uploadUrl'], headers: ['Content-Type' => $contentType], file: $path)->data;
    }

    /** Whether a webhook's request is genuine: the values of its headers webhook-id, webhook-timestamp and webhook-signature, and its body. A missing header is null. */
    public static function isGenuine(?string $id, ?string $timestamp, ?string $signatures, string $body, string $secret): bool
    {
        $code = hash_hmac('sha256', "$id.$timestamp.$body", base64_decode(substr($secret, strlen('whsec_'))), true);
        $ours = array_filter(explode(' ', (string) $signatures), static fn ($each) => hash_equals('v1,' . base64_encode($code), $each));
        return $ours !== [] && abs(time() - (int) $timestamp) <= 300;
    }

    /**
     * Any request, of operations without a method of their own too.
     *
     * @param array<string, mixed> $query  null values are left out; a list repeats its name
     * @param array|null $body  becomes JSON
     * @param string|null $file  a file to send instead of $body
     * @throws TradepostError
     */
    public function request(string $method, string $path, array $query = [], ?array $body = null, array $headers = [], ?string $file = null): TradepostAnswer
    {
        $parts = [];
        foreach ($query as $name => $value)
            foreach (is_array($value) ? $value : [$value] as $each)
                if ($each !== null) $parts[] = rawurlencode($name) . '=' . rawurlencode(is_bool($each) ? ($each ? 'true' : 'false') : (string) $each);
        if ($parts) $path .= (str_contains($path, '?') ? '&' : '?') . implode('&', $parts);
        if ($this->token !== null) $headers['Authorization'] = "Bearer $this->token";
        $json = $body === null ? null : self::encode($body);
        if ($json !== null) $headers['Content-Type'] ??= 'application/json';
        $repeatable = $method !== 'POST' || isset($headers['Idempotency-Key']);
        for ($attempt = 0; ; $attempt++) {
            $answer = $this->send($method, $path, $json, $headers, $file);
            if ($answer->status) $this->expiresAt = $answer->header('x-token-expires-at');
            if ($answer->header('x-token-ignored') !== null) throw new TradepostError($method, $path, $answer);
            if ($answer->status >= 200 && $answer->status < 400) return $answer;
            $again = $answer->status === 429 || ($repeatable && in_array($answer->status, self::TRANSIENT, true));
            // Half of the pause is chance, so that many clients do not come back at once.
            $wait = max((float) ($answer->header('retry-after') ?? 0), $answer->status === 429 ? 1.0 : 2 ** $attempt * (0.5 + mt_rand() / mt_getrandmax() / 2));
            if (!$again || $attempt >= $this->options['retries'] || $wait > $this->options['longestWait']) throw new TradepostError($method, $path, $answer);
            ($this->options['sleep'])($wait);
        }
    }

    /** A row as JSON. PHP has one kind of array for lists and objects: `attributes` and the row itself are always objects. */
    public static function encode(array $row): string
    {
        if (is_array($row['attributes'] ?? null)) $row['attributes'] = (object) $row['attributes'];
        return json_encode((object) $row, JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES);
    }

    private function send(string $method, string $path, ?string $json, array $headers, ?string $file): TradepostAnswer
    {
        $this->connection ??= curl_init();
        curl_reset($this->connection);
        $received = [];
        $lines = array_map(static fn ($name, $value) => "$name: $value", array_keys($headers), $headers);
        curl_setopt_array($this->connection, [
            CURLOPT_URL => $this->base . $path,
            CURLOPT_CUSTOMREQUEST => $method,
            CURLOPT_HTTPHEADER => [...$lines, 'Accept: application/json, application/problem+json', 'Expect:'],
            CURLOPT_USERAGENT => 'Tradepost.php/1',
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_CONNECTTIMEOUT => 10,
            CURLOPT_TIMEOUT => $this->options['timeout'],
            CURLOPT_PROTOCOLS => CURLPROTO_HTTPS | CURLPROTO_HTTP,
            CURLOPT_ENCODING => '',
            CURLOPT_HEADERFUNCTION => static function ($_, string $line) use (&$received): int {
                if (str_starts_with($line, 'HTTP/')) $received = [];
                if (str_contains($line, ':')) [$received[strtolower(strstr($line, ':', true))]] = [trim(substr(strstr($line, ':'), 1))];
                return strlen($line);
            },
        ]);
        if ($this->options['caFile'] !== null) curl_setopt($this->connection, CURLOPT_CAINFO, $this->options['caFile']);
        if ($json !== null) curl_setopt($this->connection, CURLOPT_POSTFIELDS, $json);
        $stream = $file === null ? null : fopen($file, 'rb');
        if ($stream) curl_setopt_array($this->connection, [CURLOPT_UPLOAD => true, CURLOPT_CUSTOMREQUEST => $method, CURLOPT_INFILE => $stream, CURLOPT_INFILESIZE => filesize($file)]);
        $text = curl_exec($this->connection);
        if ($stream) fclose($stream);
        if ($text === false) return new TradepostAnswer(0, [], ['error' => curl_error($this->connection)], '');
        return new TradepostAnswer(curl_getinfo($this->connection, CURLINFO_RESPONSE_CODE), $received, json_decode($text, true), $text);
    }
}
/** A successful answer: its `data`, its headers, and its text where that is no JSON. */
final class TradepostAnswer
{
    public readonly mixed $data;

    public function __construct(public readonly int $status, private array $headers, public readonly mixed $json, public readonly string $text)
    {
        $this->data = is_array($json) ? $json['data'] ?? null : null;
    }

    public function header(string $name): ?string
    {
        return $this->headers[strtolower($name)] ?? null;
    }
}

/** A refused request. The message is that of the API, such as "Invalid field: title: is required"; the code is the status, 0 without an answer. */
final class TradepostError extends RuntimeException
{
    /** The name of the request in the service's log; quote it in support requests. */
    public readonly ?string $requestId;
    /** Seconds after which the next attempt succeeds, where the service knows. */
    public readonly ?int $retryAfter;
    /** @var list<array{pointer?: string, parameter?: string, code: string, detail: string}>  all that is wrong with the body or the query */
    public readonly array $errors;

    public function __construct(public readonly string $method, public readonly string $path, public readonly TradepostAnswer $answer)
    {
        $this->requestId = $answer->header('x-request-id');
        $this->retryAfter = $answer->header('retry-after') === null ? null : (int) $answer->header('retry-after');
        $this->errors = $answer->json['errors'] ?? [];
        // The public's answer, because the token cannot be used.
        $ignored = $answer->header('x-token-ignored');
        if ($ignored !== null) parent::__construct("Token ignored: $ignored", $ignored === 'scope' ? 403 : 401);
        else parent::__construct($answer->json['detail'] ?? $answer->json['error'] ?? "HTTP $answer->status", $answer->status);
    }
}

/** Jobs, stock, enquiries, events, posts, uploads or webhooks. */
final class TradepostResource
{
    public function __construct(private Tradepost $api, private string $name) {}

    private function path(string ...$parts): string
    {
        return implode('/', ['/api/v1', $this->name, ...array_map('rawurlencode', $parts)]);
    }

    /** One page: {total, page, pages, …}, with the rows under the resource's name. */
    public function list(array $filters = []): array
    {
        return $this->api->request('GET', $this->path(), $filters)->data;
    }

    /** Every row, page by page, in the list's order. */
    public function each(array $filters = []): Generator
    {
        yield from (new TradepostPoll($this->api, $this->path(), $this->name, $filters + ['limit' => 100]))->getIterator();
    }

    /**
     * What changed since the last poll; everything with null, last updated first in your own lists. Keep since() afterwards, and give it to
     * the next poll. A row may come twice: compare `id` and `updatedAt`.
     */
    public function poll(?string $since, array $filters = []): TradepostPoll
    {
        $own = in_array($this->name, ['stock', 'enquiries'], true) || ($this->api->token() !== null && isset($filters['organisationId']));
        // In this order a row that changes meanwhile hides no other. Public lists do not have it.
        $order = $since === null && $own ? ['sort' => 'updated'] : [];
        return new TradepostPoll($this->api, $this->path(), $this->name, ['updatedSince' => $since] + $filters + $order + ['limit' => 100]);
    }

    /** One row, by its id; of jobs, events and posts also by its slug. */
    public function get(string $id): array
    {
        return $this->api->request('GET', $this->path($id))->data;
    }

    /**
     * One row with its headers: header('etag') is what change(), put() and delete() take. With the ETag of an earlier answer the status is
     * 304 and the data null, if the row has not changed since.
     */
    public function read(string $id, ?string $etag = null): TradepostAnswer
    {
        return $this->api->request('GET', $this->path($id), headers: $etag === null ? [] : ['If-None-Match' => $etag]);
    }

    /** A new row. $key makes it safe to call this again after a crash; without one, the call itself is safe to repeat. */
    public function create(array $row, ?string $key = null): array
    {
        return $this->api->request('POST', $this->path(), body: $row, headers: ['Idempotency-Key' => $key ?? bin2hex(random_bytes(16))])->data;
    }

    /** A merge patch: null clears a field. With $etag only if nobody else has changed the row: else 412. */
    public function change(string $id, array $changes, ?string $etag = null): array
    {
        return $this->api->request('PATCH', $this->path($id), body: $changes, headers: $etag === null ? [] : ['If-Match' => $etag])->data;
    }

    public function delete(string $id, ?string $etag = null): void
    {
        $this->api->request('DELETE', $this->path($id), headers: $etag === null ? [] : ['If-Match' => $etag]);
    }

    /** Creates or replaces the row with this reference of yours: what feeds repeat as often as they like. With $etag only if nobody else changed it. */
    public function put(string $reference, array $row, ?string $etag = null): array
    {
        return $this->api->request('PUT', $this->path('by-reference', $reference), body: $row, headers: $etag === null ? [] : ['If-Match' => $etag])->data;
    }

    public function getByReference(string $reference, ?string $organisationId = null): array
    {
        return $this->api->request('GET', $this->path('by-reference', $reference), ['organisationId' => $organisationId])->data;
    }

    /** As change(), of the row with this reference. `organisationId` among the changes names one of several organisations. */
    public function changeByReference(string $reference, array $changes, ?string $etag = null): array
    {
        return $this->api->request('PATCH', $this->path('by-reference', $reference), body: $changes, headers: $etag === null ? [] : ['If-Match' => $etag])->data;
    }

    public function deleteByReference(string $reference, ?string $organisationId = null): void
    {
        $this->api->request('DELETE', $this->path('by-reference', $reference), ['organisationId' => $organisationId]);
    }

    /**
     * Writes all rows in one request, each with its `reference`: all of them or none. Repeating it changes nothing.
     *
     * @param iterable<array> $rows
     * @param array{mode?: string, onError?: string, dryRun?: bool, organisationId?: string} $options
     * @return array{created: int, updated: int, unchanged: int, archived: int, failed: int, failures: list<array>, dryRun: bool}
     */
    public function feed(iterable $rows, array $options = []): array
    {
        $file = tempnam(sys_get_temp_dir(), 'tradepost') ?: throw new RuntimeException('no temporary file');
        try {
            $stream = fopen($file, 'wb');
            foreach ($rows as $row) fwrite($stream, Tradepost::encode($row) . "\n");
            if (!fclose($stream)) throw new RuntimeException("$file cannot be written");
            clearstatcache(true, $file);
            return $this->api->request('PUT', $this->path('feed'), $options, headers: ['Content-Type' => 'application/x-ndjson'], file: $file)->data;
        } finally {
            unlink($file);
        }
    }

    /** All rows of the organisation, as feed() takes them. */
    public function readFeed(?string $organisationId = null): array
    {
        $text = $this->api->request('GET', $this->path('feed'), ['organisationId' => $organisationId])->text;
        return array_map(static fn ($line) => json_decode($line, true, flags: JSON_THROW_ON_ERROR), preg_split('/\n/', $text, -1, PREG_SPLIT_NO_EMPTY));
    }

    /** What was deleted since the last poll: begin with since() of a poll, go on with since() of this one. */
    public function deletions(string $since, array $filters = []): TradepostPoll
    {
        return new TradepostPoll($this->api, $this->path('deletions'), 'deletions', $filters + ['limit' => 100, 'since' => $since]);
    }

    /** How many rows have each value of these fields: [field => [[value, count], …]]. */
    public function facets(array $fields, array $filters = []): array
    {
        return $this->api->request('GET', $this->path('facets'), ['fields' => implode(',', $fields)] + $filters)->data['facets'];
    }

    /**
     * Compares your copy of the list with the service's digest: `missing` has the entries that the copy lacks, `changed` those that it has with
     * another `updatedAt`, `gone` its ids that are not in the list. Takes one request, and one more for each of the 256 parts that differs.
     * Call it after a poll.
     *
     * @param array<string, string> $copy  [id => updatedAt]
     * @return array{equal: bool, missing: list<array>, changed: list<array>, gone: list<string>}  entries are {id, reference, updatedAt}
     */
    public function verify(array $copy, array $filters = []): array
    {
        $parts = [];
        foreach ($copy as $id => $updatedAt) $parts[substr($id, -2)][$id] = $updatedAt;
        $listed = array_column($this->api->request('GET', $this->path('digest'), $filters)->data['parts'], 'digest', 'part');
        $all = $parts + $listed;
        ksort($all, SORT_STRING);
        $found = ['missing' => [], 'changed' => [], 'gone' => []];
        foreach (array_keys($all) as $part) {
            $lines = $parts[$part] ?? [];
            ksort($lines, SORT_STRING);
            $text = implode(array_map(static fn ($id, $updatedAt) => "$id $updatedAt\n", array_keys($lines), $lines));
            if (($listed[$part] ?? null) === hash('sha256', $text)) continue;
            // The list has no items in a part without a digest.
            $entries = isset($listed[$part]) ? $this->api->request('GET', $this->path('digest'), ['part' => $part] + $filters)->data['entries'] : [];
            foreach ($entries as $entry)
                if (!array_key_exists($entry['id'], $lines)) $found['missing'][] = $entry;
                elseif ($lines[$entry['id']] !== $entry['updatedAt']) $found['changed'][] = $entry;
            array_push($found['gone'], ...array_keys(array_diff_key($lines, array_column($entries, null, 'id'))));
        }
        return ['equal' => !array_filter($found)] + $found;
    }
}

/** The people, programs and webhooks of an organisation. Most of this is for ADMINs, with a token that has no list of scopes. */
final class TradepostOrganisation
{
    public function __construct(private Tradepost $api, private ?string $id) {}

    private function ask(string $method, string $path, ?array $body = null, bool $keyed = false): mixed
    {
        $headers = $keyed ? ['Idempotency-Key' => bin2hex(random_bytes(16))] : [];
        return $this->api->request($method, "/api/v1/$path", ['organisationId' => $this->id], $body, $headers)->data;
    }

    private static function path(string ...$parts): string
    {
        return implode('/', array_map('rawurlencode', $parts));
    }

    public function members(): array
    {
        return $this->ask('GET', 'accounts/members')['members'];
    }

    /** $role is ADMIN or MEMBER. */
    public function changeMember(string $userId, string $role): array
    {
        return $this->ask('PATCH', self::path('accounts', 'members', $userId), ['role' => $role]);
    }

    public function removeMember(string $userId): void
    {
        $this->ask('DELETE', self::path('accounts', 'members', $userId));
    }

    public function invitations(): array
    {
        return $this->ask('GET', 'accounts/invitations')['invitations'];
    }

    /** Sends a letter with a link; whoever opens it becomes a member with this role. */
    public function invite(string $email, string $role): array
    {
        return $this->ask('POST', 'accounts/invitations', ['email' => $email, 'role' => $role], true);
    }

    public function withdrawInvitation(string $id): void
    {
        $this->ask('DELETE', self::path('accounts', 'invitations', $id));
    }

    /** The programs, each with its active tokens. */
    public function integrations(): array
    {
        return $this->ask('GET', 'accounts/integrations')['integrations'];
    }

    public function addIntegration(string $name): array
    {
        return $this->ask('POST', 'accounts/integrations', ['name' => $name], true);
    }

    /** Its tokens stop working at once. */
    public function deleteIntegration(string $id): void
    {
        $this->ask('DELETE', self::path('accounts', 'integrations', $id));
    }

    /** A new token of an integration; its value, `token`, is told this once. $scopes is what it may do; null is all. */
    public function makeToken(string $integrationId, string $name, ?array $scopes): array
    {
        return $this->ask('POST', self::path('accounts', 'integrations', $integrationId, 'tokens'), ['name' => $name, 'scopes' => $scopes]);
    }

    public function revokeToken(string $integrationId, string $tokenId): void
    {
        $this->ask('DELETE', self::path('accounts', 'integrations', $integrationId, 'tokens', $tokenId));
    }

    /** What failed of the programs in the last 14 days, and how often each token was used on a day: {failures, usage}. */
    public function failures(): array
    {
        return $this->ask('GET', 'accounts/failures');
    }

    /** Which letters the user gets: {enquiryMail}. */
    public function letters(): array
    {
        return $this->ask('GET', 'accounts/letters');
    }

    /** $enquiryMail is AT_ONCE, DAILY or NONE. */
    public function chooseLetters(string $enquiryMail): array
    {
        return $this->ask('PATCH', 'accounts/letters', ['enquiryMail' => $enquiryMail]);
    }

    public function webhooks(): array
    {
        return $this->ask('GET', 'webhooks')['webhooks'];
    }

    /** A new webhook; its `secret` is told this once. */
    public function createWebhook(string $url, array $events): array
    {
        return $this->ask('POST', 'webhooks', ['url' => $url, 'events' => $events], true);
    }

    /** Such as ['active' => true]. */
    public function changeWebhook(string $id, array $changes): array
    {
        return $this->ask('PATCH', self::path('webhooks', $id), $changes);
    }

    public function deleteWebhook(string $id): void
    {
        $this->ask('DELETE', self::path('webhooks', $id));
    }

    /** A new `secret`, told this once; the old one signs beside it for 24 hours. */
    public function renewSecret(string $id): array
    {
        return $this->ask('POST', self::path('webhooks', $id, 'secret'));
    }

    /** Sends a message of type webhook.test. */
    public function testWebhook(string $id): array
    {
        return $this->ask('POST', self::path('webhooks', $id, 'test'));
    }

    /** The messages that were tried last, and how many wait: {deliveries, waiting}. */
    public function deliveries(string $id): array
    {
        return $this->ask('GET', self::path('webhooks', $id, 'deliveries'));
    }

    /** Sends a message once more. */
    public function retryDelivery(string $id, string $deliveryId): array
    {
        return $this->ask('POST', self::path('webhooks', $id, 'deliveries', $deliveryId, 'retry'));
    }
}

/** The rows of a list, read page by page as they are asked for. */
final class TradepostPoll implements IteratorAggregate
{
    private ?string $since = null;

    public function __construct(private Tradepost $api, private string $path, private string $name, private array $filters) {}

    public function getIterator(): Generator
    {
        [$path, $query, $total, $restarts] = [$this->path, $this->filters, null, 0];
        while ($path !== null) {
            $answer = $this->api->request('GET', $path, $query);
            $this->since ??= $answer->header('x-next-updated-since');
            // Without a position, rows that came or went have moved the pages.
            if ($total !== null && $answer->data['total'] !== $total && !isset($this->filters['updatedSince']) && !isset($this->filters['since']) && $restarts++ < 5) {
                [$path, $query, $total] = [$this->path, $this->filters, null];
                continue;
            }
            $total = $answer->data['total'];
            foreach ($answer->data[$this->name] as $row) yield $row;
            $next = preg_match('/<([^>]+)>; rel="next"/', $answer->header('link') ?? '', $found) ? $found[1] : null;
            // The link is an address of this service; its path goes to the address that this client was given.
            $path = $next === null ? null : preg_replace('~^https?://[^/]+~', '', $next);
            $query = [];
        }
    }

    /** For the next poll, once all rows were read. */
    public function since(): ?string
    {
        return $this->since;
    }
}
