<?php
// GET /stock as a careful PHP programmer serves it: PDO, a persistent connection, opcache, five statements. For comparison only.
declare(strict_types=1);

function answer(int $status, array $body): never
{
    http_response_code($status);
    header('Content-Type: application/json; charset=utf-8');
    $json = json_encode($body, JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_LINE_TERMINATORS | JSON_THROW_ON_ERROR);
    if ($status === 200) {
        $tag = '"' . hash('xxh128', $json) . '"';
        header("ETag: $tag");
        header('Cache-Control: private, no-cache');
        if (($_SERVER['HTTP_IF_NONE_MATCH'] ?? '') === $tag) {
            http_response_code(304);
            exit;
        }
    }
    echo $json;
    exit;
}

function uuid(string $bytes): string
{
    return vsprintf('%s%s-%s-%s-%s-%s%s%s', str_split(bin2hex($bytes), 4));
}

function instant(string $sql): string
{
    return strtr($sql, ' ', 'T') . 'Z';
}

$database = new PDO($_SERVER['DATABASE'], $_SERVER['DATABASE_USER'], $_SERVER['DATABASE_PASSWORD'],
    [PDO::ATTR_PERSISTENT => true, PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION, PDO::ATTR_DEFAULT_FETCH_MODE => PDO::FETCH_ASSOC]);
$ask = function (string $sql, array $values) use ($database): array {
    $statement = $database->prepare($sql);
    $statement->execute($values);
    return $statement->fetchAll();
};

if (!preg_match('/^Bearer ([0-9a-f]{64})$/i', $_SERVER['HTTP_AUTHORIZATION'] ?? '', $match)) {
    answer(401, ['error' => 'Unauthorized']);
}
$found = $ask('SELECT t.user_id FROM api_tokens t JOIN users u ON u.id = t.user_id'
    . ' WHERE t.hash = ? AND t.revoked_at IS NULL AND t.expires_at > UTC_TIMESTAMP(3) AND u.disabled_at IS NULL', [hash('sha256', $match[1], true)]);
if (!$found) {
    answer(401, ['error' => 'Unauthorized']);
}
$organisations = array_column($ask('SELECT organisation_id FROM memberships WHERE user_id = ?', [$found[0]['user_id']]), 'organisation_id');

$page = filter_var($_GET['page'] ?? 1, FILTER_VALIDATE_INT, ['options' => ['min_range' => 1, 'max_range' => 2147483647]]);
$limit = filter_var($_GET['limit'] ?? 20, FILTER_VALIDATE_INT, ['options' => ['min_range' => 1, 'max_range' => 100]]);
if ($page === false || $limit === false) {
    answer(400, ['error' => 'Invalid query']);
}
$total = 0;
$items = [];
if ($organisations) {
    $marks = implode(', ', array_fill(0, count($organisations), '?'));
    $total = (int) $ask("SELECT COUNT(*) AS n FROM stock_items FORCE INDEX (stock_items_list) WHERE organisation_id IN ($marks)", $organisations)[0]['n'];
    $offset = ($page - 1) * $limit;
    $rows = $ask("SELECT s.* FROM (SELECT id FROM stock_items FORCE INDEX (stock_items_list) WHERE organisation_id IN ($marks)"
        . " ORDER BY created_at DESC, id DESC LIMIT $limit OFFSET $offset) k JOIN stock_items s ON s.id = k.id"
        . ' ORDER BY s.created_at DESC, s.id DESC', $organisations);
    $images = [];
    if ($rows) {
        $marks = implode(', ', array_fill(0, count($rows), '?'));
        $pictures = $ask("SELECT i.stock_id, u.id, u.content_hash, u.content_type FROM stock_images i JOIN uploads u ON u.id = i.upload_id"
            . " WHERE i.stock_id IN ($marks) ORDER BY i.stock_id, i.position", array_column($rows, 'id'));
        foreach ($pictures as $picture) {
            $images[$picture['stock_id']][] = ['uploadId' => uuid($picture['id'])];
        }
    }
    foreach ($rows as $row) {
        $items[] = [
            'id' => uuid($row['id']),
            'organisationId' => uuid($row['organisation_id']),
            'reference' => $row['reference'],
            'title' => $row['title'],
            'description' => $row['description'],
            'category' => $row['category'],
            'make' => $row['make'],
            'model' => $row['model'],
            'variant' => $row['variant'],
            'year' => $row['year'],
            'condition' => $row['item_condition'],
            'price' => $row['price'],
            'currency' => $row['currency'],
            'attributes' => json_decode($row['attributes']),
            'status' => $row['status'],
            'availability' => $row['availability'],
            'createdAt' => instant($row['created_at']),
            'updatedAt' => instant($row['updated_at']),
            'images' => $images[$row['id']] ?? [],
        ];
    }
}
header("X-Total-Count: $total");
answer(200, ['data' => ['stock' => $items, 'total' => $total, 'page' => $page, 'pages' => intdiv($total + $limit - 1, $limit)]]);
