<?php
declare(strict_types=1);

const EXTENSIONS = ['image/jpeg' => '.jpg', 'image/png' => '.png', 'image/webp' => '.webp'];

// The organisations of whom the token belongs to.
function own_organisations(): array
{
    $refuse = fn() => answer(401, ['error' => 'Unauthorized']);
    preg_match('/^Bearer ([0-9a-f]{64})$/i', $_SERVER['HTTP_AUTHORIZATION'] ?? '', $match) || $refuse();
    $found = ask('SELECT t.user_id FROM api_tokens t JOIN users u ON u.id = t.user_id'
        . ' WHERE t.hash = ? AND t.revoked_at IS NULL AND t.expires_at > UTC_TIMESTAMP(3) AND u.disabled_at IS NULL', [hash('sha256', $match[1], true)]);
    $found || $refuse();
    return array_column(ask('SELECT organisation_id FROM memberships WHERE user_id = ?', [$found[0]['user_id']]), 'organisation_id');
}

function images(array $items): array
{
    $images = [];
    $rows = ask('SELECT i.stock_id, u.id, u.content_hash, u.content_type FROM stock_images i JOIN uploads u ON u.id = i.upload_id'
        . ' WHERE i.stock_id IN (' . marks($items) . ') ORDER BY i.stock_id, i.position', $items);
    foreach ($rows as $row) {
        $name = bin2hex($row['content_hash']);
        $place = '/uploads/' . substr($name, 0, 2) . "/$name";
        $images[$row['stock_id']][] = ['uploadId' => uuid($row['id']), 'url' => $place . EXTENSIONS[$row['content_type']],
            'thumbnailUrl' => "$place.thumb.webp"];
    }
    return $images;
}

function stock_item(array $row, array $images): array
{
    return [
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
        'images' => $images,
    ];
}

function list_stock(int $page, int $limit): never
{
    $organisations = own_organisations();
    $total = 0;
    $items = [];
    if ($organisations) {
        $marks = marks($organisations);
        $total = total('stock ' . implode($organisations), fn() =>
            (int) ask("SELECT COUNT(*) AS n FROM stock_items FORCE INDEX (stock_items_list) WHERE organisation_id IN ($marks)", $organisations)[0]['n']);
        $offset = ($page - 1) * $limit;
        $rows = $offset >= $total ? [] : ask("SELECT s.* FROM (SELECT id FROM stock_items FORCE INDEX (stock_items_list) WHERE organisation_id IN ($marks)"
            . " ORDER BY created_at DESC, id DESC LIMIT $limit OFFSET $offset) k JOIN stock_items s ON s.id = k.id"
            . ' ORDER BY s.created_at DESC, s.id DESC', $organisations);
        $images = $rows ? images(array_column($rows, 'id')) : [];
        foreach ($rows as $row) {
            $items[] = stock_item($row, $images[$row['id']] ?? []);
        }
    }
    header("X-Total-Count: $total");
    answer(200, ['data' => ['stock' => $items, 'total' => $total, 'page' => $page, 'pages' => intdiv($total + $limit - 1, $limit)]],
        'private, no-cache');
}
