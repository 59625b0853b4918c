<?php
// The measured routes as a careful PHP programmer serves them: PDO, persistent connections, opcache. For comparison only.
declare(strict_types=1);

const OPTIONS = [PDO::ATTR_PERSISTENT => true, PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION, PDO::ATTR_DEFAULT_FETCH_MODE => PDO::FETCH_ASSOC];

function answer(int $status, array $body, string $cache = 'no-store'): never
{
    http_response_code($status);
    header('Content-Type: application/json; charset=utf-8');
    $json = json_encode($body, JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_LINE_TERMINATORS | JSON_THROW_ON_ERROR);
    if ($status === 200) {
        $tag = '"' . hash('xxh128', $json) . '"';
        header("ETag: $tag");
        header("Cache-Control: $cache");
        if (($_SERVER['HTTP_IF_NONE_MATCH'] ?? '') === $tag) {
            http_response_code(304);
            exit;
        }
    }
    header('Content-Length: ' . strlen($json));
    echo $json;
    exit;
}

function ask(string $sql, array $values): array
{
    static $database = null;
    $database ??= new PDO($_SERVER['DATABASE'], $_SERVER['DATABASE_USER'], $_SERVER['DATABASE_PASSWORD'], OPTIONS);
    $statement = $database->prepare($sql);
    $statement->execute($values);
    return $statement->fetchAll();
}

// What $count finds; with CACHED_TOTAL it may be a second old.
function total(string $key, callable $count): int
{
    if (($_SERVER['CACHED_TOTAL'] ?? '') === '') {
        return $count();
    }
    $total = apcu_fetch($key, $found);
    if (!$found) {
        apcu_store($key, $total = $count(), 1);
    }
    return $total;
}

function bounded(string $name, int $default, int $most): int
{
    $number = filter_var($_GET[$name] ?? $default, FILTER_VALIDATE_INT, ['options' => ['min_range' => 1, 'max_range' => $most]]);
    return $number === false ? answer(400, ['error' => 'Invalid query']) : $number;
}

function marks(array $values): string
{
    return implode(', ', array_fill(0, count($values), '?'));
}

function uuid(string $bytes): string
{
    return vsprintf('%s%s-%s-%s-%s-%s%s%s', str_split(bin2hex($bytes), 4));
}

function uuid_bytes(string $text): ?string
{
    return preg_match('/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i', $text) ? hex2bin(strtr($text, ['-' => ''])) : null;
}

function instant(?string $sql): ?string
{
    return $sql === null ? null : strtr($sql, ' ', 'T') . 'Z';
}

$path = strtok($_SERVER['REQUEST_URI'], '?');
if ($path === '/api/v1/jobs') {
    require __DIR__ . '/jobs.php';
    list_jobs(bounded('page', 1, 2147483647), bounded('limit', 20, 100));
}
if ($path === '/api/v1/stock') {
    require __DIR__ . '/stock.php';
    list_stock(bounded('page', 1, 2147483647), bounded('limit', 20, 100));
}
if (str_starts_with($path, '/api/v1/jobs/')) {
    require __DIR__ . '/jobs.php';
    get_job(substr($path, strlen('/api/v1/jobs/')));
}
answer(404, ['error' => 'Not found']);
