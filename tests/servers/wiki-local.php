<?php
$conf['title'] = 'Wiki';
$conf['lang'] = 'en';
$conf['license'] = '';
$conf['useacl'] = 0;
$conf['updatecheck'] = 0;
$conf['savedir'] = '@DIR@/data';
