<?php
// Does what a line of standard input says with the client for PHP, and answers each with a line. See ../clients.test.mjs.
declare(strict_types=1);
require getenv('BUILD') . '/www/docs/Tradepost.php';

function value(Tradepost $api, array $given, array $options): mixed
{
    ['base' => $base, 'call' => $call, 'args' => $args] = $given;
    if ($call === 'signIn') return ['token' => Tradepost::signIn($base, $args[0], $args[1], scopes: $args[2] ?? null, options: $options)->token()];
    // The old token's expiry is no longer told, and the new one is used.
    if ($call === 'rotateToken') return ['token' => $api->rotateToken(...$args), 'expiresAt' => $api->tokenExpiresAt(), 'me' => $api->me()];
    if ($call === 'tokenExpiresAt') return [$api->me(), $api->tokenExpiresAt()][1];
    [$name, $method] = [...explode('.', $call), null];
    $made = $method === null ? $api->$name(...$args) : ($name === 'organisation' ? $api->organisation($given['organisation'] ?? null) : $api->$name)->$method(...$args);
    if ($method === 'read') return ['status' => $made->status, 'data' => $made->data, 'etag' => $made->header('etag')];
    if ($made instanceof Traversable) {
        $rows = iterator_to_array($made, false);
        return ['rows' => $rows, 'since' => $made instanceof TradepostPoll ? $made->since() : null];
    }
    return $made;
}

while (($line = fgets(STDIN)) !== false) {
    $given = json_decode($line, true, flags: JSON_THROW_ON_ERROR);
    $slept = [];
    $options = ['caFile' => getenv('CA_FILE'), 'sleep' => function (float $seconds) use (&$slept): void { $slept[] = $seconds; }];
    try {
        $answer = ['value' => value(new Tradepost($given['base'], $given['token'] ?? null, $options), $given, $options)];
    } catch (TradepostError $error) {
        $answer = ['error' => [$error->getCode(), $error->getMessage()], 'errors' => $error->errors, 'requestId' => $error->requestId, 'retryAfter' => $error->retryAfter];
    }
    echo json_encode($answer + ['slept' => $slept], JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE), "\n";
}
